// n=4
#include "ctn.h"
static int last(unsigned n)
{
    int cells[n];
    for (unsigned i = 0; i <= n; i++)
        cells[i] = (int)i;
    return cells[0];
}
int main(void)
{
    unsigned n;
    ctn_value(&n, sizeof n, CTN_ROOT("n"));
    return last(n);
}
