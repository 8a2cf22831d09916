/* Pointers to functions that the program always sets are not null in any of its states; one that it leaves out of a
 * table is, and calling it unasked is a bug. */
struct hooks { int (*take)(int); int (*give)(int); };

static int twice(int n) { return n < 1000 ? n * 2 : n; }
static int half(int n) { return n / 2; }

/* Trap: always both functions, whatever is chosen later. */
static struct hooks current = {twice, half};
void choose(int other) { current.take = other ? half : twice; }
int use_current(int n) { return current.take(n) + current.give(n); }
int use_hooks(struct hooks *hooks, int n)
{
    if (!hooks) return 0;
    return hooks->take(n) + hooks->give(n);
}

/* Trap: set piece by piece after zeros. */
struct driver { int (*open)(int); int (*stop)(int); };
void set_up(struct driver *driver)
{
    struct { int count; struct driver driver; } blank = {0, {0, 0}};
    struct driver made = blank.driver;
    made.open = twice;
    made.stop = half;
    if (driver) *driver = made;
}
int use_driver(struct driver *driver, int n) { return driver ? driver->open(driver->stop(n)) : 0; }

/* Trap: a function to call, and nobody asks whether there is one. */
int each(int (*visit)(int), int n)
{
    int sum = 0;
    for (int i = 0; i < (n & 3); i++) sum += visit(i);
    return sum;
}

/* Bug: here somebody asks, too late. */
int first(int (*visit)(int), int n)
{
    int sum = visit(n); /* EXPECT alarm null-dereference */
    return visit ? sum : 0;
}

/* Bug: the second table has no `close`. */
struct ops { int (*start)(int); int (*close)(int); };
const struct ops full = {twice, half};
const struct ops part = {.start = half};
int use_start(const struct ops *ops, int n) { return ops ? ops->start(n) : 0; }
int use_close(const struct ops *ops, int n)
{
    return ops ? ops->close(n) : 0; /* EXPECT alarm null-dereference */
}

/* Bug: another function asks before it calls. */
struct events { void (*tell)(int); };
static int told;
static void note(int n) { told = n > 5; }
struct events usual = {note};
void tell_gently(struct events *events, int n) { if (events && events->tell) events->tell(n); }
void tell(struct events *events, int n)
{
    if (events) events->tell(n); /* EXPECT alarm null-dereference */
}
