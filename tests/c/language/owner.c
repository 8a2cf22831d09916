/* Members that lead back to the object above: the stream of a state, the node before, a parent of several children, the
 * device that a timer is part of. And members that look alike and do not. */
/* EXPECT-FILE covered all */
#include <stddef.h>

struct hidden;
struct stream {
    int error;
    struct hidden *state;
};
struct state {
    struct stream *stream;
    int mode;
};

int check(struct stream *stream)
{
    struct state *state;
    if (stream == NULL || stream->state == NULL) return 1;
    state = (struct state *)stream->state;
    if (state->stream != stream) return 2;
    if (state->mode == 7 && stream->error == 9) return 3;
    return 0;
}

struct node {
    struct node *next, *prev;
    int value;
};

void append(struct node *node, struct node *other)
{
    if (node && other) {
        node->next = other;
        other->prev = node;
    }
}

int is_whole(const struct node *first)
{
    if (!first || !first->next) return 1;
    if (first->next->prev != first) return 2;
    if (first->next->value == first->value + 3) return 3;
    return 0;
}

struct tree {
    struct tree *parent, *children[2];
    int value;
};

void adopt(struct tree *tree, struct tree *child)
{
    if (tree && child) {
        tree->children[0] = child;
        child->parent = tree;
    }
}

int second(struct tree *tree)
{
    if (!tree || !tree->children[1]) return 1;
    if (tree->children[1]->parent != tree) return 2;
    return tree->children[1]->value == 5 ? 3 : 0;
}

struct device;
struct timer {
    struct device *device;
    int left;
};
struct device {
    int running;
    struct timer timer;
};

int is_due(struct device *device)
{
    if (!device) return 0;
    if (device->timer.device != device) return 1;
    return device->running && device->timer.left == 1 ? 2 : 3;
}

/* Nothing says that these lead back, and then this would not end. */
struct folder;
struct file {
    struct folder *inside;
};
struct folder {
    struct file *first;
};

int depth(const struct folder *folder)
{
    if (!folder || !folder->first) return 0;
    return 1 + depth(folder->first->inside);
}
