/* Whether a pointer is null is decided where the program asks for it, or where it follows the pointer unasked. */
/* EXPECT-FILE covered all */
/* EXPECT-FILE predicted */

struct item { struct item *next; struct item *other; int value; };

int asked(const struct item *p)
{
    if (!p) return -1;
    if (p->next && p->next->value == 5) return 1;
    if (p->other == p->next) return 2;
    return 0;
}

int both(const struct item *p)
{
    if (p == 0) return 0;
    const struct item *next = p->next, *other = p->other;
    int there = (next != 0) + (other != 0);
    if (there == 2) return next->value > other->value;
    return there;
}

int unasked(const struct item *p, int n)
{
    if (!p) return 0;
    if (n == 3) return p->next->value; /* EXPECT alarm null-dereference */
    return n > 3;
}

int through(struct item *p)
{
    if (!p) return 0;
    struct item **place = &p->next;
    if (*place == 0) return 1;
    (*place)->value = 4;
    return p->next->value == 4 ? 2 : 3; /* EXPECT covered true */
}
