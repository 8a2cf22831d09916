/* A trap: the only caller lets no other index through. */
static int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};

static int get(int i)
{
    if (i == 100)
        return 0;
    return table[i]; /* EXPECT alarm out-of-bounds dropped */
}

int lookup(int i)
{
    if (i < 0 || i >= 8)
        return -1;
    return get(i);
}

int main(int argc, char **argv)
{
    (void)argv;
    return lookup(argc);
}
