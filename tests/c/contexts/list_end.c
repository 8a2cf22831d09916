/* A list ends in null, as the program itself asks for it: who follows it further is wrong, while other members that are null
 * may be the driver's making. */
/* EXPECT-FILE only contexts */
#include <stddef.h>

struct style { int width; };
struct point { int x, y; struct point *next; struct style *style; };

int length(const struct point *p)
{
    int n = 0;
    for (; p; p = p->next)
        n++;
    return n;
}

/* Bug: a list of one. */
int rise(const struct point *p)
{
    if (!p)
        return 0;
    return p->next->y - p->y; /* EXPECT alarm null-dereference unit reported */
}

/* Trap: every point has a style. */
int width(const struct point *p)
{
    if (!p)
        return 0;
    return p->style->width; /* EXPECT alarm null-dereference unit doubtful */
}

void put(struct point *p, struct style *s, struct point *next)
{
    if (!p)
        return;
    p->style = s;
    p->next = next;
}

/* As complex as any. */
int count(int c) { return c == 'a' ? 1 : c == 'b' ? 2 : c == 'c' ? 3 : 0; }
