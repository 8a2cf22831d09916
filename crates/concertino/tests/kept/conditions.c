/* Conditions of which one side is never taken, in the shapes that C has for them. */
static int twice(unsigned char n) { return 2 * n; }

int comparison(int a, unsigned char b)
{
    if (a == 1 && b < 300)
        return 1;
    return 0;
}

int negation(unsigned char a, unsigned char b)
{
    if (!(a > 255) && b == 1)
        return 1;
    if (b == 2 || !(a < 256) || !!b)
        return 2;
    if (!(b || a > 255))
        return 3;
    if (b == 4 && !(300 < a) && b)
        return 4;
    return 5;
}

int call(unsigned char a, unsigned char b)
{
    int n;
    if (twice(a) >= 0 && (n = twice(b)) < 511 && n)
        return 1;
    if (!(n = twice(a)) || !(n != 511))
        return 2;
    return n;
}

int value(unsigned char a, unsigned char b)
{
    int both = a < 256 && b;
    int neither = !(a > 255)
        && (b == 3
            || (int)a > 255);
    neither += b && (a | 256);
    return both ? 1 : !(neither > 1) ? 2 : 3;
}

int loop(unsigned char a, unsigned char b)
{
    int n = 0;
    for (int i = 0; i < 3 && a < 256; i++)
        n++;
    while (n < 5 || !(b < 256))
        n++;
    do
        n--;
    while (a > 255 || n > b);
    return n;
}

int pointer(const int *p, const unsigned char *q)
{
    if (p && *p == 7 && q && q[0] <= 255)
        return 1;
    if (q && (*q > (p ? 255 : 254)
              || (*q & 256)))
        return 2;
    return 0;
}
