/* A pointer that is looked for in a table of the file, as drivers and neighbours are: it may be there. */
/* EXPECT-FILE covered all */
struct port { int number, speed; };
struct neighbour { int state; struct port *port; unsigned address; };

static struct neighbour table[4];
static struct { struct port *owner; int taken; } bus;

void learn(int i, struct port *port)
{
    table[i & 3].state = 2;
    table[i & 3].port = port;
    bus.owner = port;
}

int lookup(struct port *port, unsigned address)
{
    int i;
    for (i = 0; i < 4; i++)
        if (table[i].state > 1 && table[i].port == port && table[i].address == address)
            return i;
    return -1;
}

int release(struct port *port)
{
    if (!bus.taken || port == 0 || bus.owner != port)
        return -1;
    bus.taken = 0;
    return port->speed > 9600;
}
