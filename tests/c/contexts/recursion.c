/* A trap and a bug with recursion on the way. */
static int table[4] = {4, 3, 2, 1};

static int get(int i)
{
    if (i == 100)
        return 0;
    return table[i]; /* EXPECT alarm out-of-bounds dropped */
}

static int sum(int n)
{
    if (n < 0 || n > 3)
        return 0;
    return get(n) + sum(n - 1);
}

static int down(int n, int d)
{
    if (n <= 0 || n > 4)
        return 100 / d; /* EXPECT alarm division-by-zero feasible */
    return down(n - 1, d - 1);
}

int main(int argc, char **argv)
{
    (void)argv;
    return sum(argc) + down(argc, 2);
}
