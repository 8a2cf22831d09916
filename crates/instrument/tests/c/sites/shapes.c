#include <stdarg.h>

static int pick(int x, int y)
{
    if (x > 3 && y < 4)
        return 1;
    switch (x) {
    case 7:
    case 8:
        return 2;
    case -1:
        return 3;
    }
    while (y > 0)
        y /= x;
    return y;
}

static int first(int n, ...)
{
    va_list list;
    va_start(list, n);
    int v = va_arg(list, int); /* a branch of the compiler's, not of the source */
    va_end(list);
    return v;
}

int ctn_drive_pick(int x)
{
    if (x)
        return pick(x, 1);
    return first(1, x);
}

int main(void) { return pick(1, 2); }
