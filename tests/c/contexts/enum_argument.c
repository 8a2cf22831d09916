/* A trap: an int that holds only values of the enum, which the caller computed. */
enum colour { RED, GREEN, BLUE };
static const int weight[3] = {30, 59, 11};

static int luminance(int colour)
{
    if (colour == 100)
        return 0;
    return weight[colour]; /* EXPECT alarm out-of-bounds dropped */
}

static enum colour choose(int n)
{
    if (n > 2)
        return BLUE;
    return n > 1 ? GREEN : RED;
}

int main(int argc, char **argv)
{
    (void)argv;
    return luminance(choose(argc));
}
