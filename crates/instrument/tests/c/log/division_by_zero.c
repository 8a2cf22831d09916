// x=5
#include "ctn.h"
int main(void)
{
    int x;
    ctn_value(&x, sizeof x, CTN_ROOT("x"));
    return 10 / (x - 5);
}
