struct node {
    struct node *next;
    int value[4];
    unsigned flag : 1;
};

static int pick(int x) { return x & 3; }

static int plain(int a, int b, const char *p)
{
    if (a == 1 && b < 300)
        return 1;
    if (!a && b)
        return 2;
    if (!(a && b))
        return 3;
    if (!(a == 3) || !p || !!b)
        return 4;
    if (!a == b || (a == 1) || ((b)))
        return 5;
    if (a < 3
        && (b == ';'
            || *p))
        return 6;
    return p ? 7 : !b ? 8 : 9;
}

static int calls(int a, int b)
{
    int n;
    if (!pick(a) && (n = pick(b)) > 1)
        return n;
    if (!(n = pick(a)) || !(1 == n) || pick(pick(a) + b))
        return 1;
    while ((n = pick(a++)) != 3 && !pick(n))
        b++;
    for (int i = 0; i < b && pick(i); i++)
        n++;
    do
        n--;
    while (n > 0 || pick(b));
    return n;
}

static int values(int a, int b, double d)
{
    int c = !a && b;
    c += (a && b) == c;
    if (a > (b ? 3 : pick(a)) && d < 0.5)
        return 1;
    if ((a ? b : c) || (char)c == (unsigned char)a)
        return 2;
    return (c = a) || (b = c, a > b);
}

static int memory(struct node *list, int i)
{
    int n = 0;
    for (struct node *node = list; node && node->next; node = node->next)
        if (node->value[i] > 3 || list->next->value[n] == i || !node->flag || -n == ~i)
            n++;
    return n;
}

static int sizes(int n, int a[n][n], int i)
{
    char text[2 * n + 1];
    text[0] = 0;
    if (a[i][0] > 3 && a[0][i] < 5 && sizeof text > 3 && !text[i])
        return 1;
    return 0;
}

#define BOTH(a, b) ((a) && \
                    !(b))
#define LARGER(a, b) ((a) > (b) ? (a) : (b))

static int macros(int a, int b)
{
    if (BOTH(a, b) || !BOTH(b, a))
        return 1;
    if (a > 2 && LARGER(a, b) == 7)
        return 2;
    return ({ int c = a; c > 3; }) && b;
}

int main(int argc, char **argv)
{
    struct node node = { 0, { 1 }, 0 };
    int row[1][1] = { { argc } };
    return plain(argc, 1, argv[0]) + calls(argc, 2) + values(argc, 3, 1) + memory(&node, 0) + sizes(1, row, 0)
        + macros(argc, 4);
}
