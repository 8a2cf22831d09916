/* Errors by longjmp, as parsers do: the jump goes back to a live frame and values survive. */
/* EXPECT-FILE covered all */
#include <setjmp.h>

static jmp_buf on_error;
static int position;

int parse(char a, char b)
{
    position = 0;
    int where = setjmp(on_error);
    if (where != 0) return -where;
    if (a < '0' || a > '9') longjmp(on_error, 1);
    position++;
    if (b < '0' || b > '9') longjmp(on_error, 1 + position);
    if ((a - '0') * 10 + (b - '0') == 42) return 1;
    return 0;
}
