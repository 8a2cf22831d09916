// c=1
#include <stddef.h>
#include "ctn.h"
static int one = 1, two = 2;
static int value(const int *p) { return *p; }
int main(void)
{
    int c;
    ctn_value(&c, sizeof c, CTN_ROOT("c"));
    int *p = c ? &one : NULL;
    int *q = c > 5 ? &one : &two;
    if (value(q) == 7)
        return 1;
    return value(p);
}
