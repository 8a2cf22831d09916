/* What a whole-program analysis of values rules out needs no caller: the state is one of those that the program sets,
 * an index is masked by whoever computes it. The number of calls has no bound. */
/* EXPECT-FILE only contexts */
/* EXPECT-FILE assuming ranges */
enum { IDLE, RUN, STOP };

static const int delays[3] = {1, 5, 9};
static int slots[4];
static int state = IDLE;
static unsigned calls;

static int delay(int by)
{
    if (by == 77)
        return 0;
    return delays[state] + by;
}

static int take(int slot)
{
    if (slot < 0)
        return -1;
    return slots[slot];
}

static int count(int by)
{
    calls++;
    if (by == 3)
        return slots[calls]; /* EXPECT alarm out-of-bounds */
    return 0;
}

static void turn(int input)
{
    if (input > 10)
        state = RUN;
    else if (input < 0)
        state = STOP;
    else
        state = IDLE;
}

int main(int argc, char **argv)
{
    (void)argv;
    turn(argc);
    return delay(argc) + take(argc & 3) + count(argc);
}
