// x=3
#include "ctn.h"
int main(void)
{
    int x;
    ctn_value(&x, sizeof x, CTN_ROOT("x"));
    switch (x) {
    case 1:
        return 10;
    case 2:
    case 3:
        return 20;
    default:
        return 30;
    }
}
