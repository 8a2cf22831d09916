/* Members that lead back to where one comes from. */
struct node {
    struct node *next, *prev, *children[2], *parent;
};
struct stream;
struct state {
    struct stream *stream;
};
struct stream {
    void *state;
    struct state first;
};

void append(struct node *node, struct node *other)
{
    node->next = other;
    other->prev = node;
}

void adopt(struct node *node, struct node *child, int at)
{
    node->children[at] = child;
    child->parent = node;
}

void insert(struct node *node)
{
    node->next->prev = node;
}

void begin(struct stream *stream)
{
    stream->first.stream = stream;
}

int check(struct stream *stream, struct state *state)
{
    return state->stream != stream || !state->stream;
}

/* A rotation, and the end of a list: nothing leads back. */
void rotate(struct node *node)
{
    struct node *left = node->children[0];
    node->children[0] = left->next;
    left->next = node;
}

int is_last(struct node *node)
{
    return node->next == 0;
}
