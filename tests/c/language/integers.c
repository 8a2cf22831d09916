/* Integer semantics: promotion, sign extension, truncation, mixed comparison, shifts of negative numbers. */
/* EXPECT-FILE covered all */
int promoted(unsigned char a, unsigned char b)
{
    if (a + b == 300) return 1;
    if ((unsigned char)(a + b) == 44 && a > 20) return 2;
    return 0;
}

int extended(signed char c)
{
    unsigned u = (unsigned)c;
    if (u == 0xfffffff0u) return 1;
    return 0;
}

int mixed(int a, unsigned b)
{
    if (a < 0 && (unsigned)a > b && b > 5) return 1;
    return 0;
}

int shifted(int x)
{
    if (x >> 4 == -3) return 1;
    if (x / 16 == -3) return 2;
    return 0;
}

int wrapped(unsigned x)
{
    if (x * 5u + 3u == 1u) return 1;
    return 0;
}

int remainder_sign(int x)
{
    if (x % 7 == -4) return 1;
    return 0;
}
