// n=3 k=1
#include <string.h>
#include "ctn.h"
static char from[12], to[8];
int main(void)
{
    unsigned long n;
    unsigned k;
    ctn_value(&n, sizeof n, CTN_ROOT("n"));
    ctn_value(&k, sizeof k, CTN_ROOT("k"));
    memcpy(to, from, n);
    memset(to + k, 0, 2);
    return 0;
}
