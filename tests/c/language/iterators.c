/* Loops over what a function of another program part returns: they end, although every call may return an object. */
/* EXPECT-FILE covered all */
struct node { int value; };

extern struct node *first_node(void), *next_node(struct node *);
extern void *take_block(int pool);

int search(int wanted)
{
    for (struct node *node = first_node(); node != 0; node = next_node(node))
        if (node->value == wanted + 7)
            return 1;
    return 0;
}

int longest(void)
{
    int length = 0;
    struct node *node = first_node();
    while (node) {
        length++;
        node = next_node(node);
    }
    return length > 4;
}

struct connection {
    int state;
    char buffer[300];
    int port;
};

/* A block has room for the largest object that is made of one. */
int opened(int port)
{
    struct connection *connection = take_block(3);
    if (connection == 0)
        return -1;
    connection->state = 1;
    connection->port = port;
    return connection->port == 80;
}
