/* Definitions in the style before prototypes: arguments arrive promoted. */
/* EXPECT-FILE covered all */
/* EXPECT-FILE flags -std=gnu89 -Wno-deprecated-non-prototype */
int old_style(a, b, c)
    int a;
    char b;
    float c;
{
    if (a == 300 && b == 'k') return 1;
    if (c > 2.5f) return 2;
    return 0;
}

implicit_int(x)
{
    if (x == 17) return 1;
    return 0;
}

int calls_old_style(x)
    int x;
{
    if (old_style(x, 'k', 1.0) == 1) return 5;
    return 6;
}
