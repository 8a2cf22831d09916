// i=2
#include "ctn.h"
static const short table[6] = {3, 1, 4, 1, 5, 9};
int main(void)
{
    unsigned i;
    ctn_value(&i, sizeof i, CTN_ROOT("i"));
    if (table[i] == 5)
        return 1;
    return 0;
}
