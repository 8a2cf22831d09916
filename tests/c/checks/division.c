/* Division and remainder by zero, for integers only: a floating quotient is infinite, not a fault. */
unsigned quotient(unsigned a, unsigned b)
{
    return a / b; /* EXPECT alarm division-by-zero where b = 0 */
}

unsigned remainder_of(unsigned a, unsigned b)
{
    return a % b; /* EXPECT alarm division-by-zero where b = 0 */
}

unsigned by_difference(unsigned a, unsigned b)
{
    if (a < 100 || b < 100) return 0;
    return a / (a - b); /* EXPECT alarm division-by-zero */
}

int narrow_to_zero(unsigned wide)
{
    unsigned char narrow = (unsigned char)wide;
    if (wide == 0) return 0;
    return 1000 / narrow; /* EXPECT alarm division-by-zero where wide >= 256 */
}

unsigned safe_quotient(unsigned a, unsigned b)
{
    return b != 0 ? a / b : 0;
}

unsigned safe_odd(unsigned a, unsigned b)
{
    return a / (b | 1);
}

double floating(double a, double b)
{
    return a / b;
}
