/* Every expectation here is wrong: the runner has to say so, each time. */
/* EXPECT-FILE covered all */
/* EXPECT-FILE problem there is none */
unsigned quotient(unsigned a, unsigned b) /* EXPECT end timeout */
{
    return a / b; /* EXPECT alarm division-by-zero where b > 5 */
}

int never(unsigned x)
{
    if ((x & 1) > 1) return 1;
    return 0; /* EXPECT covered all */
}

int both(int x) /* EXPECT skipped no reason */
{
    if (x == 3) return 1; /* EXPECT covered true */
    return 0;             /* EXPECT alarm assertion */
}

int table[4];

int unexpected(unsigned i)
{
    return table[i & 7];
}
