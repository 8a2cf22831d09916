/* Decisions with test vectors that no execution shows: the test names the functions and the bits. */
int asks(int);

int free_one(int a, int b)
{
    return a == 1 || a == 2 || b ? 4 : 5; /* every way can be taken */
}

int known(int *p, int a)
{
    *p = a;
    if (p && a > 2) /* p is never null: it was written to */
        return 1;
    return 2;
}

int implied(int a)
{
    if (a > 5 && a > 3) /* the second is never false where it is evaluated */
        return 1;
    return 2;
}

int coupled(int a, int b, int c)
{
    /* each condition has both outcomes, but not `a == 1` and `a == 2` together */
    if ((a == 1 && b) || (a == 2 && c))
        return 1;
    return 2;
}

int counts(int n)
{
    int i = 0;
    while (i < n && asks(i)) /* what is called may do anything */
        i++;
    return i;
}

struct box { int full, count; };

int twice(struct box *box)
{
    if (box->full && box->count > 3) {
        if (box->full && box->count > 0) /* both hold: nothing was written in between */
            return 1;
        return 2;
    }
    return 3;
}
