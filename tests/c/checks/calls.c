/* Faults in calls: through a table beyond its end, through a member that was never set. */
typedef int handler(int);
static int one(int x) { return x + 1; }
static int two(int x) { return x + 2; }
static handler *const table[2] = {one, two};

int dispatched(unsigned which)
{
    return table[which](3); /* EXPECT alarm out-of-bounds where which > 1 */
}

struct object { int kind; handler *run; };

int member(struct object *o)
{
    if (!o || o->kind != 4) return 0;
    return o->run(1); /* EXPECT alarm null-dereference */
}

int safe_dispatch(unsigned which)
{
    return which < 2 ? table[which](3) : 0;
}
