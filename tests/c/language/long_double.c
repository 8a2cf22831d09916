/* Extended precision is computed as it is and not searched: what depends on it is concrete and counted, and the
 * rest of the function is explored. */
#include <math.h>

long double scale(long double x)
{
    if (x > 1.0L) return x / 3.0L;
    return x * x;
}

int beside_it(double x, int y)
{
    long double wide = (long double)x * 1.5L;
    if (y == 77) return (int)wide; /* EXPECT covered all */
    if (x == 12.25) return 1; /* EXPECT covered all */
    return 0;
}

int made_of_constants(int y)
{
    long double third = 1.0L / 3;
    double rounded = (double)third;
    if (rounded + y == 1.0 / 3 + 21) return 1; /* EXPECT covered all */
    return third * 3 == 1.0L;
}
