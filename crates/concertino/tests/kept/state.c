/* State that no two calls reach, and what no input of the unit decides. */

/* Nothing uses it: clang emits it for coverage only, and numbers the others differently. */
static inline int unused(int x)
{
    return x ? 1 : 2;
}

int late(int event)
{
    static int count;
    static struct { int armed; short limit; } timer = {0, 5};
    static const int steps[2] = {1, 2};
    count += steps[event & 1];
    if (count == 1000 && event == 3) {
        timer.armed = 0;
        return 1;
    }
    if (timer.armed && timer.limit == 77) return 2;
    return 0;
}

static int both(int x)
{
    return x;
}

/* clang measures no MC/DC where an operand holds a decision. */
int nested(int a, int b, int c)
{
    if (a && both(b || c)) return 1;
    return 0;
}

int never(int x)
{
    if (x > 10 && x < 5) return 1;
    return 0;
}

void fill(int *where);
int filled(void)
{
    int value = 0;
    fill(&value);
    if (value == 3) return 1;
    return 0;
}
