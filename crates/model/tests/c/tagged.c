/* Unions whose contents a tag tells: by switch, comparison, early return and assignment. */
struct shape {
    enum { CIRCLE, SQUARE, LINE, TEXT } kind;
    int other;
    union {
        int radius;
        struct { int side; } square;
        const char *text;
    } as;
};

struct event {
    unsigned char type;
    union {
        int key;
        void *data;
    };
};

int by_switch(const struct shape *shape)
{
    switch (shape->kind) {
    case CIRCLE:
        return shape->as.radius;
    case SQUARE:
    case LINE:
        return shape->as.square.side;
    default:
        return shape->as.text[0];
    }
}

int fallen_through(const struct shape *shape)
{
    int sum = 0;
    switch (shape->kind) {
    case CIRCLE:
        sum = shape->as.radius;
    case TEXT:
        sum += shape->as.text[0];
    default:
        break;
    }
    return sum;
}

int by_comparison(const struct event *event, const struct event *other)
{
    if (event->type == 1 || event->type == 2)
        return event->key;
    if (event->type != 3)
        return other->key;
    return event->data != 0 && other->data != 0;
}

void set(struct shape *shape, int side)
{
    shape->as.square.side = side;
    shape->kind = SQUARE;
}
