/* A bug: the guard two callers up tests the wrong variable. */
static int quotient(int a, int b)
{
    return a / b; /* EXPECT alarm division-by-zero feasible */
}

static int scale(int a, int b)
{
    return quotient(a + 2, b) + 1;
}

static int adjust(int a, int b)
{
    if (a < 1)
        return a;
    return scale(a, b);
}

int main(int argc, char **argv)
{
    (void)argv;
    return adjust(argc, argc - 2);
}
