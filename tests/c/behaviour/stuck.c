/* Handlers of failures that wait for ever: that nothing ends them is known at once, and the time is spent on the rest. */
/* EXPECT-FILE covered all */
#define CHECK(condition) do { if (!(condition)) while (1); } while (0)

int guarded(int a, int b, unsigned c)
{
    CHECK(a > 10); /* EXPECT alarm non-termination where a <= 10 */
    if (c == 77)
        return 1;
    switch (b) {
    case 3: return 2;
    case 4: return 3;
    }
    for (;;) /* EXPECT alarm non-termination */
        ;
}
