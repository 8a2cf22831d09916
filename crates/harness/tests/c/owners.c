/* Members that lead back to the object above, by an assignment or a comparison. */
struct stream;
struct state {
    struct stream *stream;
    int mode;
};
struct stream {
    struct state *state;
};

int check(struct stream *stream)
{
    return stream->state->stream == stream ? stream->state->mode : -1;
}

struct node {
    struct node *next, *prev;
};

void append(struct node *node, struct node *other)
{
    node->next = other;
    other->prev = node;
}

/* Nothing says that these lead back. */
struct folder;
struct file {
    struct folder *inside;
};
struct folder {
    struct file *first;
};

int depth(const struct folder *folder)
{
    return folder->first ? 1 + depth(folder->first->inside) : 0;
}
