/* Floating point through structs, arrays, functions of <math.h> that are operations, and conversions. */
/* EXPECT-FILE covered all */
#include <math.h>
#include <stdlib.h>

struct point { float x, y; };

int quadrant(const struct point *p)
{
    if (!p) return 0;
    if (p->x > 0 && p->y > 0) return 1;
    if (p->x < -1.5f && p->y == 2.25f) return 2;
    return 3;
}

int rounded(double x)
{
    if (floor(x) == 3.0 && x > 3.5) return 1;
    if (ceil(x) == -2.0 && fabs(x) < 2.75) return 2;
    return 0;
}

int average(const int *values)
{
    double sum = 0;
    if (!values) return 0;
    for (int i = 0; i < 4; i++) {
        if (values[i] < -1000 || values[i] > 1000) return 1;
        sum += values[i];
    }
    if (sum / 4 == 12.75) return 2;
    return 3;
}

int parsed(const char *s)
{
    if (!s) return 0;
    double x = strtod(s, NULL);
    if (x > 1.5) return 1;
    return 0;
}

int narrowed(double x)
{
    float f = (float)x;
    if (f == 0.1f && x != 0.1) return 1;
    return 0;
}
