/* An array at the end of a record is as long as it says, unless it has one element, or none. */
/* EXPECT-FILE only contexts */
#include <stdlib.h>

struct track { int mode; long index[100]; };
struct text { int length; char bytes[1]; };

/* Bug: nothing is below the first one. */
void set_index(struct track *t, int i, long at)
{
    if (!t || i > 99)
        return;
    t->index[i] = at; /* EXPECT alarm out-of-bounds unit reported where i < 0 */
}

long get_index(struct track *t, int i)
{
    return t && i >= 0 && i < 100 ? t->index[i] : -1;
}

/* As long as it was made. */
struct text *make_text(int length)
{
    if (length < 0 || length > 100)
        return 0;
    struct text *t = malloc(sizeof *t + length);
    if (t) {
        t->length = length;
        for (int i = 0; i <= length; i++)
            t->bytes[i] = 0;
    }
    return t;
}

/* As complex as any. */
int count(int c) { return c == 'a' ? 1 : c == 'b' ? 2 : c == 'c' ? 3 : 0; }
