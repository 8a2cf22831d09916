/* GNU statement expressions, typeof, the conditional with an omitted middle, case ranges, local labels. */
/* EXPECT-FILE covered all */
#define LARGER(a, b) ({ __typeof__(a) x_ = (a); __typeof__(b) y_ = (b); x_ > y_ ? x_ : y_; })

int larger(int a, int b)
{
    if (LARGER(a, b) == 99 && a < b) return 1;
    return 0;
}

int or_else(int a)
{
    int b = a ?: 7;
    if (b == 7) return 1;
    return 0;
}

int range(int c)
{
    switch (c) {
    case 'a' ... 'f': return 1;
    case '0' ... '9': return 2;
    default: return 0;
    }
}

int local_label(int n)
{
    return ({
        __label__ out;
        int r = 1;
        if (n == 3) goto out;
        r = 2;
    out:
        r;
    });
}
