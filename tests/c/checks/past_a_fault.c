/* What comes after a fault is reached by other inputs, also where the first input of all runs into it: every
 * slot is zero then. */
/* EXPECT-FILE covered all */
int values[4];

int past_division(unsigned a, unsigned b)
{
    unsigned q = a / b; /* EXPECT alarm division-by-zero where b = 0 */
    if (q == 7) return 1;
    return 0;
}

int past_index(int i)
{
    int value = values[i + 5]; /* EXPECT alarm out-of-bounds */
    if (i == -3) return value;
    return 0;
}

int past_two(unsigned a, unsigned b, unsigned i)
{
    unsigned r = a % b;   /* EXPECT alarm division-by-zero where b = 0 */
    unsigned q = a / (r - 1); /* EXPECT alarm division-by-zero where b > 1 */
    if (values[i] == 3 && q == 5) return 1; /* EXPECT alarm out-of-bounds where i > 3 */
    return 0;
}

int past_assertion(int x)
{
    if (x != 1000) __builtin_trap(); /* EXPECT alarm other where x != 1000 */
    return values[0] == 12 ? 1 : 0;
}
