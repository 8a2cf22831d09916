/* A trap: the mode comes from a constant table, and only three of its values exist. */
static const int modes[3] = {0, 2, 4};
static const char *const names[5] = {"off", 0, "slow", 0, "fast"};

static char initial(int mode)
{
    return names[mode][0]; /* EXPECT alarm out-of-bounds dropped */ /* EXPECT alarm null-dereference dropped */
}

static int describe(unsigned which)
{
    if (which >= 3)
        return 0;
    return initial(modes[which]);
}

int main(int argc, char **argv)
{
    (void)argv;
    return describe((unsigned)argc);
}
