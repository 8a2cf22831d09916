/* A trap: main gives the divisor its value before anything reads it. */
static int divisor;

static void set_up(void)
{
    divisor = 7;
}

static int share(int amount)
{
    return amount / divisor; /* EXPECT alarm division-by-zero dropped */
}

int main(int argc, char **argv)
{
    (void)argv;
    set_up();
    return share(argc);
}
