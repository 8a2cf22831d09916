/* A library keeps its state in objects and variables of its own. A driver sets each of them at will, and what fails for
 * that alone is doubtful, be it a number, a null pointer or an assertion, in functions that only others call too. What
 * only others set is theirs to choose. */
/* EXPECT-FILE only contexts */
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition) do { if (!(condition)) do { printf("line %d\n", __LINE__); abort(); } while (0); } while (0)

struct queue { int state; int *items; int options; };

static int cached;
static int table[10];

/* Here the state is kept, and null is asked for. */
int queue_open(struct queue *q, int *items)
{
    if (!q || !items)
        return -1;
    q->state = 0;
    q->items = items;
    return q->items == NULL;
}
void remember(int at)
{
    if (at >= 0 && at < 10)
        cached = at;
}

/* Trap: an assertion, in a macro, about a member that the library sets. */
int queue_check(const struct queue *q)
{
    CHECK(q->state != 77); /* EXPECT alarm assertion unit doubtful */ /* EXPECT alarm null-dereference unit doubtful */
    return 0;
}

/* Bug: the options are for others to set. */
int queue_options(const struct queue *q)
{
    CHECK(q->options != 77); /* EXPECT alarm assertion unit reported */ /* EXPECT alarm null-dereference unit doubtful */
    return 0;
}

/* Trap: an assertion over a parameter tells callers what to give, and none is known to give something else. */
int queue_skip(const struct queue *q, int many)
{
    CHECK(many != 77); /* EXPECT alarm assertion unit doubtful */
    return q->state - many; /* EXPECT alarm null-dereference unit doubtful */
}

/* Trap: a null member, which others ask for. */
int queue_first(const struct queue *q)
{
    return *q->items; /* EXPECT alarm null-dereference unit doubtful */ /* EXPECT alarm null-dereference unit doubtful */
}

/* Bug: this one asks, and goes on. */
int queue_last(const struct queue *q)
{
    if (q->items == NULL) /* EXPECT alarm null-dereference unit doubtful */
        puts("empty");
    return q->items[0]; /* EXPECT alarm null-dereference unit reported */
}

/* Trap: an index that only the library sets, and that another function compares: the driver keeps it in bounds too. */
int recall(void)
{
    return table[cached];
}

/* Trap: an index that only the library sets, and that nobody compares. */
static int moved;
void move(int by)
{
    moved += by;
}
int where(void)
{
    return table[moved]; /* EXPECT alarm out-of-bounds unit doubtful */
}

/* Trap: a global that is set once. */
static int *store;
int open_store(int *memory)
{
    if (!store)
        store = memory;
    return 0;
}
int stored(void)
{
    return *store; /* EXPECT alarm null-dereference unit doubtful */
}

/* Bug: the check is wrong by one, whoever sets it. */
int recall_checked(void)
{
    if (cached < 0 || cached > 10)
        return 0;
    return table[cached]; /* EXPECT alarm out-of-bounds unit reported */
}
