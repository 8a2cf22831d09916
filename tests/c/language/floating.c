/* Floating point: comparisons, arithmetic, conversions, special values. */
/* EXPECT-FILE covered all */
#include <math.h>

int in_interval(double x)
{
    if (x > 0.25 && x < 0.5) return 1;
    return 0;
}

int scaled(float x)
{
    if (x * 2.0f == 7.0f) return 1;
    return 0;
}

int special(double x)
{
    if (x != x) return 1;
    if (isinf(x)) return 2;
    if (x == 0 && signbit(x)) return 3;
    return 0;
}

int converted(int n)
{
    double half = n / 2.0;
    if (half == 10.5) return 1;
    return 0;
}

int truncated(float x)
{
    if (x < -100 || x > 100) return 0;
    if ((int)x == 42 && x != 42.0f) return 1;
    return 2;
}

int rooted(double x)
{
    if (x >= 0 && sqrt(x) == 3.0) return 1;
    return 0;
}
