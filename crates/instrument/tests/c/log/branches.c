// x=7 c=97
#include "ctn.h"
int main(void)
{
    int x;
    char c;
    ctn_value(&x, sizeof x, CTN_ROOT("x"));
    ctn_value(&c, sizeof c, CTN_ROOT("c"));
    int r = 0;
    if (x > 5)
        r++;
    if (c == 'a' && x * 2u != 14)
        r++;
    while (x-- > 6)
        r++;
    return x == c ? r : -r;
}
