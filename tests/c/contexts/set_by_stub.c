/* EXPECT-FILE only contexts */
/* What a function far away sets, its stub does not: what is left unset there is no fault. */

struct node {
    int kind;
    struct node *next;
};

struct scan {
    int token, depth;
    struct node nodes[4];
};

static struct node *pick(struct scan *s)
{
    return &s->nodes[s->token & 3];
}

static int read_node(struct scan *s, struct node **to)
{
    *to = pick(s);
    s->depth = 2 + (s->token & 1);
    return s->token > 4;
}

static int one_of(struct scan *s)
{
    struct node *node = 0;
    if (read_node(s, &node))
        return -1;
    return node->kind; /* EXPECT alarm null-dereference unit doubtful */
}

static int share_of(struct scan *s)
{
    struct node *node = 0;
    s->depth = 0;
    if (read_node(s, &node))
        return -1;
    return 100 / s->depth; /* EXPECT alarm division-by-zero unit doubtful */
}

static int item(struct scan *s)
{
    return s->token & 1 ? one_of(s) : share_of(s);
}

static int items(struct scan *s)
{
    return item(s) + 1;
}

int parse(struct scan *s)
{
    if (!s)
        return 0;
    s->token &= 0xff;
    return items(s);
}
