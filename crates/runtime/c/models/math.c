/* Models of functions of <math.h> that the solver has as operations, or that are made of those. The compiler
 * makes operations of some itself, where they do not set errno and the program lets it.
 * Limits: everything transcendental is called with concrete values. */
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

double ctn_model_fabs(double x) { return __builtin_elementwise_abs(x); }
float ctn_model_fabsf(float x) { return __builtin_elementwise_abs(x); }
double ctn_model_floor(double x) { return __builtin_elementwise_floor(x); }
float ctn_model_floorf(float x) { return __builtin_elementwise_floor(x); }
double ctn_model_ceil(double x) { return __builtin_elementwise_ceil(x); }
float ctn_model_ceilf(float x) { return __builtin_elementwise_ceil(x); }
double ctn_model_trunc(double x) { return __builtin_elementwise_trunc(x); }
float ctn_model_truncf(float x) { return __builtin_elementwise_trunc(x); }
double ctn_model_rint(double x) { return __builtin_elementwise_rint(x); }
float ctn_model_rintf(float x) { return __builtin_elementwise_rint(x); }
double ctn_model_round(double x) { return __builtin_elementwise_round(x); }
float ctn_model_roundf(float x) { return __builtin_elementwise_round(x); }
double ctn_model_copysign(double x, double y) { return __builtin_elementwise_copysign(x, y); }
float ctn_model_copysignf(float x, float y) { return __builtin_elementwise_copysign(x, y); }

double ctn_model_modf(double x, double *whole)
{
    double t = __builtin_elementwise_trunc(x);
    *whole = t;
    return __builtin_elementwise_copysign(x == t ? 0.0 : x - t, x);
}

float ctn_model_modff(float x, float *whole)
{
    float t = __builtin_elementwise_trunc(x);
    *whole = t;
    return __builtin_elementwise_copysign(x == t ? 0.0f : x - t, x);
}

/* Results that do not fit are whatever the processor makes of them. */
long ctn_model_lround(double x) { return (long)__builtin_elementwise_round(x); }
long ctn_model_lrint(double x) { return (long)__builtin_elementwise_rint(x); }
