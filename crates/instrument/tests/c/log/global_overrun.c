// i=9
#include "ctn.h"
static char name[8];
static char *at(unsigned i) { return name + i; }
int main(void)
{
    unsigned i;
    ctn_value(&i, sizeof i, CTN_ROOT("i"));
    *at(i) = 1;
    return 0;
}
