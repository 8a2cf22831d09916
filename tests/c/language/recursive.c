/* Recursive data and recursive functions. Large numbers overflow the stack in odd and even, if they are tried. */
/* EXPECT-FILE covered all */
/* EXPECT-FILE alarms any */
#include <stddef.h>

struct list { int value; struct list *next; };
struct tree { int value; struct tree *children[2]; };

int length(const struct list *l)
{
    int n = 0;
    for (; l
           && n < 10; l = l->next) n++; /* EXPECT covered true */
    if (n == 2) return 1; /* as many as pointer-depth allows */
    return 0;
}

int sum(const struct tree *t, int depth)
{
    if (!t || depth > 2) return 0;
    return t->value + sum(t->children[0], depth + 1) + sum(t->children[1], depth + 1);
}

int is_sorted(const struct list *l)
{
    for (int i = 0; l && l->next
         && i < 3; i++, l = l->next) /* EXPECT covered true */
        if (l->value > l->next->value) return 0;
    return 1;
}

static int even(unsigned n);
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }

int parity(unsigned n)
{
    n &= 7;
    if (even(n)) return 1;
    return 0;
}
