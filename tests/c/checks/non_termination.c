/* Loops without an end for some inputs: the alarm stands in the loop. */
int waits(unsigned x)
{
    while (x == 0x1234) { /* EXPECT alarm non-termination where x = 4660 */
    }
    return (int)x;
}

/* The counter wraps before it passes the limit. */
int wraps(unsigned char limit)
{
    int steps = 0;
    for (unsigned char i = 0; i <= limit; i++) steps ^= i; /* EXPECT alarm non-termination where limit = 255 */
    return steps;
}

int safe_loop(unsigned x)
{
    int steps = 0;
    for (x &= 1023; x != 0; x >>= 1) steps++;
    return steps;
}
