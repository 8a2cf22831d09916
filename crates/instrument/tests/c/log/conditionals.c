// x=8
#include "ctn.h"
static int small(int x) { return x < 5 ? 1 : 2; }
static int twice(int x) { return (x == 8 ? 3 : 4) + (x == 9 ? 30 : 40); }
static int negated(int x)
{
    if (!x) return 1;
    while (!x) x++;
    return !!x ? 5 : 6;
}
int main(void)
{
    int x;
    ctn_value(&x, sizeof x, CTN_ROOT("x"));
    return small(x) + twice(x) + negated(x);
}
