//
#include "ctn.h"
static int sum(const int *p, int n)
{
    int s = 0;
    for (int i = 0; i <= n; i++)
        s += p[i];
    return s;
}
int main(void)
{
    int cells[5] = {1, 2, 3, 4, 5};
    return sum(cells, 5);
}
