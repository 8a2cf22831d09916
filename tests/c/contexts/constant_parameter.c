/* A trap: every call passes one of two constants; and one where the caller computes them. */
static const int width[4] = {1, 2, 4, 8};

static int bytes(int kind)
{
    if (kind == 100)
        return 0;
    return width[kind]; /* EXPECT alarm out-of-bounds dropped */
}

static int bits(int kind)
{
    if (kind == 100)
        return 0;
    return 8 * width[kind]; /* EXPECT alarm out-of-bounds feasible */
}

int main(int argc, char **argv)
{
    (void)argv;
    return bytes(0) + bytes(3) + bits(argc * 2);
}
