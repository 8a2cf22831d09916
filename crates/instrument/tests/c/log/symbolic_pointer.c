// c=1
#include <stddef.h>
#include "ctn.h"
static int one = 1, two = 2;
static int value(const int *p) { return *p; }
/* In the harness a choice between constants is a value; in the program it is a branch. */
static void ctn_choose(int c, int **p, int **q)
{
    *p = c ? &one : NULL;
    *q = c > 5 ? &one : &two;
}
int main(void)
{
    int c, *p, *q;
    ctn_value(&c, sizeof c, CTN_ROOT("c"));
    ctn_choose(c, &p, &q);
    if (value(q) == 7)
        return 1;
    return value(p);
}
