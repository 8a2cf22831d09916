/* The function is called through a pointer only: its callers are not known for sure, so nothing is dropped. */
static int table[4] = {4, 3, 2, 1};

static int get(int i)
{
    if (i == 100)
        return 0;
    return table[i]; /* EXPECT alarm out-of-bounds unit */
}

static int apply(int (*f)(int), int i)
{
    if (i < 0 || i > 3)
        return 0;
    return f(i);
}

int main(int argc, char **argv)
{
    (void)argv;
    return apply(get, argc);
}
