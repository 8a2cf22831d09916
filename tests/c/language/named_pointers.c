/* Pointers that have a name of their own, as constants. */
#include <string.h>

typedef char *string;
typedef struct node *list;
struct node {
    int value;
    list next;
};

int same(const string one, const string other)
{
    if (!one || !other)
        return 0;
    return strcmp(one, other) == 0 ? 1 : 2; /* EXPECT covered all */
}

int one_node(const list one, const list other)
{
    if (!one || !other)
        return 0;
    return one == other ? 1 : 2; /* EXPECT covered all */
}
