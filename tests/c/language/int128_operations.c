/* 128-bit integers: every operation, passed, returned and kept in memory. */
/* EXPECT-FILE covered all */
typedef unsigned __int128 wide;
typedef __int128 signed_wide;

static wide kept[2];

static wide join(unsigned long high, unsigned long low) { return (wide)high << 64 | low; }

int compared(long a, unsigned long b)
{
    signed_wide x = (signed_wide)a << 64 | b;
    if (x < -((signed_wide)5 << 64)) return 1;
    if (x > ((signed_wide)7 << 64) + 3 && x < ((signed_wide)7 << 64) + 6) return 2;
    return 0;
}

int shifted(unsigned long a, unsigned n)
{
    wide x = (wide)a << (n & 127);
    if ((unsigned long)(x >> 64) == 0x11 && (unsigned long)x == 0x2200000000000000ul) return 1;
    return 0;
}

int multiplied(unsigned long a)
{
    wide x = (wide)a * 0x100000001ul;
    if ((unsigned long)(x >> 64) == 5) return 1;
    return 0;
}

int divided(unsigned long a)
{
    wide x = join(0, a) / 1000;
    if (x == 123456789) return 1;
    if (join(0, a) % 1000 == 17) return 2;
    return 0;
}

int in_memory(unsigned long a, unsigned i)
{
    kept[0] = a;
    kept[1] = join(a, a);
    if (kept[i & 1] == join(9, 9)) return 1;
    return 0;
}

int overflown(long a)
{
    signed_wide x;
    if (__builtin_mul_overflow((signed_wide)a << 60, (signed_wide)64, &x)) return 1;
    if (x == (signed_wide)3 << 66) return 2;
    return 0;
}

int from_double(double x)
{
    if (!(x > 0 && x < 1e30)) return 0;
    if ((wide)x == join(1, 0)) return 1;
    return 0;
}

int switched(long high, unsigned long low)
{
    switch ((signed_wide)high << 64 | low) {
    case ((signed_wide)3 << 64) + 7: return 1;
    case -((signed_wide)1 << 100): return 2;
    case 12: return 3;
    default: return 0;
    }
}
