// d=4611686018427387904 f=1065353216
#include <math.h>
#include "ctn.h"
int main(void)
{
    double d;
    float f;
    ctn_value(&d, sizeof d, CTN_ROOT("d"));
    ctn_value(&f, sizeof f, CTN_ROOT("f"));
    if (d * 0.5 > f)
        return 1;
    if ((int)d == 2 && __builtin_fabs(-d) == 2.0)
        return 2;
    return 0;
}
