/* Never returns, whatever it is given; the other function of the file is not touched by that. */
volatile int ticks;

void idle(void) /* EXPECT end timeout */
{
    for (;;) ticks++; /* EXPECT alarm non-termination */
}

int neighbour(int x)
{
    return x == 8 ? 1 : 2; /* EXPECT covered all */
}
