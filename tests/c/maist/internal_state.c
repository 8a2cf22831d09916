/* What a function remembers: static locals are reached by calling it again, statics of the file are inputs. */
/* EXPECT-FILE covered all */
static int gear;
static struct { unsigned armed : 1, tries : 3; } lock;

int shift(int wanted)
{
    if (gear == 3 && wanted == 5) return 1;
    gear = wanted;
    return 0;
}

void arm(void) { lock.armed = 1; }

int try_code(int code)
{
    if (lock.armed && lock.tries == 5 && code == 77) return 1;
    return 0;
}

int debounced(int level)
{
    static int last;
    static unsigned same;
    same = level == last ? same + 1 : 0;
    last = level;
    if (same == 1 && level == 42) return 1;
    return 0;
}

/* The state is in a callee. */
static int ticks(void)
{
    static int n;
    return ++n;
}
int blink(int period)
{
    if (ticks() == 2 && period == 9) return 1;
    return 0;
}
