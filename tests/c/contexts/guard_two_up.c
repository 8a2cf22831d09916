/* A trap: the guard is two callers up. */
static int quotient(int a, int b)
{
    return a / b; /* EXPECT alarm division-by-zero dropped */
}

static int scale(int a, int b)
{
    return quotient(a * 2, b) + 1;
}

static int adjust(int a, int b)
{
    if (b < 1)
        return a;
    return scale(a, b);
}

int main(int argc, char **argv)
{
    (void)argv;
    return adjust(argc, argc - 2);
}
