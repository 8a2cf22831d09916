/* A bug: one caller is careful, the other is not. */
static int table[4] = {4, 3, 2, 1};

static int get(int i)
{
    if (i == 100)
        return 0;
    return table[i]; /* EXPECT alarm out-of-bounds feasible */
}

static int careful(int i)
{
    return i >= 0 && i < 4 ? get(i) : 0;
}

static int careless(int i)
{
    return get(i & 7);
}

int main(int argc, char **argv)
{
    (void)argv;
    return argc > 3 ? careful(argc) : careless(argc * 2);
}
