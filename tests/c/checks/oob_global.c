/* Out of bounds of a global array, by reading and by writing, above and below. */
int table[8];
int other[8];

int read_global(int i)
{
    return table[i]; /* EXPECT alarm out-of-bounds where i < 0 or i > 7 */
}

void write_global(unsigned char i)
{
    table[i] = 1; /* EXPECT alarm out-of-bounds where i > 7 */
}

int off_by_one(int i)
{
    if (i < 0 || i > 8) return -1;
    return table[i]; /* EXPECT alarm out-of-bounds where i = 8 */
}

int safe_global(int i)
{
    if (i < 0 || i >= 8) return -1;
    return table[i] + other[7 - i];
}

int safe_mask(unsigned i)
{
    return table[i & 7];
}
