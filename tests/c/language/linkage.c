/* Weak and aliased symbols, constructors, sections, visibility, hidden statics, common symbols. */
/* EXPECT-FILE covered all */
int started;
int tentative;
int tentative;

__attribute__((constructor)) static void start(void) { started = 40; }

__attribute__((weak)) int overridable(int x) { return x + 1; }

int original(int x)
{
    if (x == 21) return 1;
    return 0;
}

int renamed(int x) __attribute__((alias("original")));

int calls_if_there(int x)
{
    if (x == 3) return overridable(x);
    if (x == 4) return renamed(x);
    return 0;
}

__attribute__((section(".text.special"), visibility("hidden"), noinline)) int placed(int x)
{
    return x == 77 ? 1 : 2;
}

int after_start(int x)
{
    if (x == started + 2) return 1;
    return 0;
}

int declares_inside(void)
{
    extern int set_elsewhere;
    return set_elsewhere == 5 ? 1 : 0;
}
