// x=3
#include "ctn.h"
/* Functions of the harness are labelled and logged, but their branches are not the program's. */
static int ctn_check_it(int x) { if (x > 2) return 1; return 0; }
int main(void)
{
    int x;
    ctn_value(&x, sizeof x, CTN_ROOT("x"));
    return ctn_check_it(x);
}
