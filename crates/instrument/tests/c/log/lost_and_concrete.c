// n=3 x=2
#include <string.h>
#include <stdlib.h>
#include "ctn.h"
int main(void)
{
    unsigned long n;
    int x;
    char from[8] = "abcdef", to[8] = {0};
    ctn_value(&n, sizeof n, CTN_ROOT("n"));
    ctn_value(&x, sizeof x, CTN_ROOT("x"));
    memcpy(to, from, n);
    long double wide = x;
    int absolute = labs(x) == 2;
    __asm__("" : "+r"(x));
    return wide > 1 ? absolute + x : 0;
}
