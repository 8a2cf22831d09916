// x=5 y=2
#include "ctn.h"
int main(void)
{
    int x, y;
    ctn_value(&x, sizeof x, CTN_ROOT("x"));
    ctn_value(&y, sizeof y, CTN_ROOT("y"));
    int sum = x + y;
    int quotient = x / y;
    unsigned remainder = (unsigned)x % 3u;
    int shifted = x << (y + 31);
    return sum + quotient + (int)remainder + shifted > 0;
}
