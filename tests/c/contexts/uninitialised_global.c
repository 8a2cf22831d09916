/* A bug: one way through main leaves the divisor at zero. */
static int divisor;

static void set_up(void)
{
    divisor = 7;
}

static int share(int amount)
{
    return amount / divisor; /* EXPECT alarm division-by-zero feasible */
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        set_up();
    return share(argc);
}
