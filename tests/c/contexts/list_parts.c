/* A list whose ends are parts of its head: what is compared with the address of a part leads nowhere back, so that a tree made
 * of such lists has an end. */
/* EXPECT-FILE only contexts */

struct node;
struct list { struct node *first, *last, *before; };
struct node { struct node *next, *previous; struct list children; int id; };

int is_empty(struct list *list)
{
    return !list || list->first == (struct node *)&list->last;
}

struct node *find(struct node *node, int id)
{
    if (!node || node->id == id)
        return node;
    for (struct node *child = node->children.first; child && child->next; child = child->next) {
        struct node *found = find(child, id);
        if (found)
            return found;
    }
    return 0;
}
