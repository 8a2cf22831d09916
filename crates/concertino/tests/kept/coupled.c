/* Conditions whose independent effect no input can show, beside those that can be shown. */
int known(int *p, int a)
{
    *p = a;
    if (p && a > 2) /* p was written to */
        return 1;
    return 2;
}

int implied(int a)
{
    if (a > 5 && a > 3)
        return 1;
    return 2;
}

int repeated(int a, int b, int c)
{
    if ((a == 1 || b > 2) && (a == 1 || c > 3)) /* the second `a == 1` changes with the first */
        return 1;
    return 2;
}

int ranges(int a, int b)
{
    return (a > 5 && a < 9) || (a > 20 && b) ? 1 : 2;
}
