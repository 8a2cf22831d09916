/* Models of functions of <math.h> that the solver has as operations. The compiler makes operations of the
 * others itself, where they do not set errno.
 * Limits: only the square root; everything transcendental is called with concrete values. */
#include "models.h"

#include <errno.h>

double ctn_model_sqrt(double x)
{
    if (x < 0) errno = EDOM;
    return __builtin_elementwise_sqrt(x);
}

float ctn_model_sqrtf(float x)
{
    if (x < 0) errno = EDOM;
    return __builtin_elementwise_sqrt(x);
}
