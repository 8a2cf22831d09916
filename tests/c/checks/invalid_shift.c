/* Shifts by more than the type holds, or by less than nothing. */
/* EXPECT-FILE checks invalid-shift */
unsigned shift_left(unsigned x, unsigned by)
{
    return x << by; /* EXPECT alarm invalid-shift where by > 31 */
}

unsigned shift_right(unsigned x, int by)
{
    return x >> by; /* EXPECT alarm invalid-shift where by < 0 or by > 31 */
}

/* The left operand is promoted to int, not to the type of the result. */
unsigned long long mask(unsigned bit)
{
    if (bit > 63) return 0;
    return 1u << bit; /* EXPECT alarm invalid-shift where bit > 31 */
}

unsigned long long safe_mask(unsigned bit)
{
    return 1ull << (bit & 63);
}
