/* Pointers: aliasing parameters, pointers to pointers, differences, comparisons, casts to integers and back. */
#include <stddef.h>
#include <stdint.h>

int aliases(int *a, int *b)
{
    if (!a || !b) return 0;
    *a = 1;
    *b = 2;
    if (*a == 2) return 1; /* EXPECT covered all */
    return 0;
}

int twice(int **p)
{
    if (!p || !*p) return 0;
    if (**p == 31) return 1; /* EXPECT covered all */
    return 0;
}

int distance(unsigned i, unsigned k)
{
    char text[16];
    char *p = text + (i & 15), *q = text + (k & 15);
    if (q - p == 9) return 1; /* EXPECT covered all */
    if (p > q) return 2;      /* EXPECT covered all */
    return 0;
}

int through_integer(unsigned i)
{
    int table[4] = {10, 20, 30, 40};
    uintptr_t address = (uintptr_t)table + (i & 3) * sizeof(int);
    if (*(int *)address == 30) return 1; /* EXPECT covered all */
    return 0;
}

struct node { int key; struct node *left, *right; };

int find(const struct node *tree, int key)
{
    for (int depth = 0; tree && depth < 4; depth++) {
        if (tree->key == key) return depth;              /* EXPECT covered all */
        tree = key < tree->key ? tree->left : tree->right; /* EXPECT covered all */
    }
    return -1;
}
