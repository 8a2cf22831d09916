/* Null for a parameter that a function dereferences whatever else it is given: nobody can have meant that, though other
 * functions ask for such pointers. Where some path does without the parameter, its author may have thought of null. */
/* EXPECT-FILE only contexts */
#include <stddef.h>
struct node { int value; struct node *next; };

/* Others ask. */
int is_last(const struct node *node) { return node == NULL || node->next == NULL; }

/* Trap: on its only path. */
int value_of(const struct node *node) { return node->value; } /* EXPECT alarm null-dereference feasible doubtful */

/* Trap: on both. */
int weight(const struct node *node, int twice)
{
    if (twice) {
        return 2 * node->value; /* EXPECT alarm null-dereference unit doubtful */
    }
    return node->value; /* EXPECT alarm null-dereference unit joined */
}

/* Trap: in what it calls. */
int sum(const struct node *node, int more) { return value_of(node) + more; }

/* Bug: without `replace` there is no need of `node`, so null may come, and then comes here. */
static int place;
int put(const struct node *node, int replace)
{
    if (!replace)
        return place;
    place = node->value; /* EXPECT alarm null-dereference unit joined */
    return 0;
}

/* Bug: it asks, too late. The same statement as above: one alarm with two places. */
int first(const struct node *node)
{
    place = node->value; /* EXPECT alarm null-dereference unit reported */
    return node ? place : 0;
}
