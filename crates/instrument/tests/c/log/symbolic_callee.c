// i=1
#include "ctn.h"
static int zero(int a) { return a - a; }
static int same(int a) { return a; }
static int (*const choices[])(int) = {zero, same};
int main(void)
{
    unsigned i;
    ctn_value(&i, sizeof i, CTN_ROOT("i"));
    return choices[i](5);
}
