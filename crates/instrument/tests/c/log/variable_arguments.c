// x=7
#include <stdarg.h>
#include "ctn.h"
static long last(int n, ...)
{
    va_list list;
    long v = 0;
    va_start(list, n);
    while (n-- > 0)
        v = va_arg(list, long);
    va_end(list);
    return v;
}
int main(void)
{
    long x;
    ctn_value(&x, sizeof x, CTN_ROOT("x"));
    if (last(3, 1L, x, 2L) == 9)
        return 1;
    if (last(2, 1L, x) == 9)
        return 2;
    if (last(9, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, x + 1) == 8)
        return 3;
    return 0;
}
