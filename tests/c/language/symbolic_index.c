/* Reading and writing at an index that is an input: the table, not one element, is part of the path. */
/* EXPECT-FILE covered all */
static const unsigned char box[16] = {6, 4, 12, 5, 0, 7, 2, 14, 1, 15, 3, 13, 8, 10, 9, 11};
static unsigned short counts[8];

int substituted(unsigned char x)
{
    if (box[x & 15] == 14) return 1;
    if (box[box[x & 15]] == 10) return 2;
    return 0;
}

int written(unsigned i, unsigned short value)
{
    for (int k = 0; k < 8; k++) counts[k] = 0;
    counts[i & 7] = value;
    if (counts[5] == 600) return 1;
    return 0;
}

int histogram(unsigned a, unsigned b, unsigned c)
{
    unsigned char seen[4] = {0};
    seen[a & 3]++;
    seen[b & 3]++;
    seen[c & 3]++;
    if (seen[2] == 3) return 1;
    return 0;
}
