// i=1 v=9
#include "ctn.h"
int main(void)
{
    unsigned i;
    int v, cells[3] = {10, 20, 30};
    ctn_value(&i, sizeof i, CTN_ROOT("i"));
    ctn_value(&v, sizeof v, CTN_ROOT("v"));
    cells[i] = v;
    if (cells[2] == 7)
        return 1;
    return 0;
}
