/* Overflow of signed arithmetic. Unsigned arithmetic wraps by definition. */
/* EXPECT-FILE checks signed-overflow */
#include <limits.h>

int sum(int a, int b)
{
    return a + b; /* EXPECT alarm signed-overflow */
}

int difference(int a, int b)
{
    if (a < 0) return 0;
    return a - b; /* EXPECT alarm signed-overflow where b < 0 */
}

long product(long a)
{
    return a * 3; /* EXPECT alarm signed-overflow */
}

int negated(int a)
{
    return -a; /* EXPECT alarm signed-overflow where a = -2147483648 */
}

/* The one quotient that does not fit; on many processors it traps. */
int quotient(int a, int b)
{
    if (b == 0) return 0;
    return a / b; /* EXPECT alarm signed-overflow where a = -2147483648 and b = -1 */
}

/* Computed as int and then cut off: no overflow. */
short safe_narrow(short a, short b)
{
    return (short)(a + b);
}

unsigned safe_unsigned(unsigned a, unsigned b)
{
    return a * b + 7u;
}

int safe_sum(int a, int b)
{
    if ((b > 0 && a > INT_MAX - b) || (b < 0 && a < INT_MIN - b)) return 0;
    return a + b;
}
