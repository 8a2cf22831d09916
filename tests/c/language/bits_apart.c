/* Parts of one word: a part says nothing about another, whatever numbers mask and move them. */
/* EXPECT-FILE covered all */

int two_parts(unsigned char a, unsigned char b)
{
    unsigned w = (a & 7u) | (b & 0x1fu) << 3;
    if (w >> 3 == 0x15)
        if ((w & 7) == 5) return 1;
    return 0;
}

int three_parts(unsigned w)
{
    if (w >> 8 == 0x123456)
        if ((w & 15) == 9)
            if ((w >> 4 & 15) == 6) return 1;
    return 0;
}

int sums(unsigned w)
{
    if (w + 3 == 1000)
        return (w & 1) == 1 ? 1 : 2; /* EXPECT covered true */
    if ((w ^ 7) == 77)
        return 3;
    if ((w | 4) == 1028 && w != 1028) return 4;
    return 0;
}
