/* A trap: the callee halves its argument, so the index is in range; the caller passes at most nine. */
static int data[5] = {1, 3, 5, 7, 9};

static int half(int n)
{
    return n / 2;
}

static int pick(int n)
{
    return data[half(n)]; /* EXPECT alarm out-of-bounds dropped */
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc < 0 || argc > 9)
        return 0;
    return pick(argc);
}
