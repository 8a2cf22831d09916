/* 128-bit integers, and the overflow builtins that compilers turn into them. */
/* EXPECT-FILE covered all */
typedef unsigned __int128 wide;

int product(unsigned long a, unsigned long b)
{
    wide p = (wide)a * 3 + b;
    if ((unsigned long)(p >> 64) == 1) return 1;
    return 0;
}

int checked(int a, int b)
{
    int sum;
    if (__builtin_add_overflow(a, b, &sum)) return -1;
    if (sum == 1000) return 1;
    return 0;
}

int counts(unsigned x)
{
    if (__builtin_popcount(x) == 31) return 1;
    if (x && __builtin_clz(x) == 5 && __builtin_ctz(x) == 20) return 2;
    if (__builtin_bswap32(x) == 0x11223344u) return 3;
    return 0;
}
