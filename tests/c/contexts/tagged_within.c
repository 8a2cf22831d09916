/* EXPECT-FILE only contexts */
/* A union whose members all begin with the tag that tells them apart, as nodes of syntax trees have it. */

enum kind { TEXT, PAIR, COUNT };

struct text { enum kind kind; unsigned length; const char *start; };
struct pair { enum kind kind; struct node *left; struct node *right; };
struct count { enum kind kind; unsigned long low, high; };

struct node {
    union {
        struct { enum kind kind; } base;
        struct text text;
        struct pair pair;
        struct count count;
    } u;
};

#define KIND(node) ((node)->u.base.kind)
#define PAIR_OF(node) (&(node)->u.pair)

/* Trap: what is no pair has numbers where pairs have pointers. */
int weight(const struct node *node)
{
    if (!node)
        return 0;
    switch (KIND(node)) {
    case TEXT:
        return node->u.text.start ? (int)node->u.text.start[0] : 1;
    case PAIR:
        return weight(PAIR_OF(node)->left) + weight(PAIR_OF(node)->right);
    case COUNT:
        return node->u.count.low < node->u.count.high;
    }
    return -1;
}
