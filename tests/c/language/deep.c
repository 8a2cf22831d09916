/* State that lies many pointers away: what the tested code reads is there, however deep and however many other members
   the records have. Alarms for null pointers on the way are not the subject. */
/* EXPECT-FILE covered all */
/* EXPECT-FILE alarms any */
#include <stddef.h>

struct sensor { int kind; const char *label; };
struct channel { struct sensor *sensor; struct sensor *spares[3]; };
struct port { struct channel *channel; int enabled; };
struct bus { struct port *port; struct device *owner; };
/* Records that lead to everything, most of which nobody here reads. */
struct wide {
    struct bus *a, *b, *c, *d, *e, *f, *g, *h;
    struct port *i, *j, *k, *l, *m, *n, *o, *p;
    struct channel *q, *r, *s, *t, *u, *v, *w, *x;
    int values[40];
};
struct device {
    struct wide *unused[8];
    struct bus *bus;
    struct wide *wide;
    struct device *next;
    unsigned char *memory;
};

struct device *current;

int through_members(struct device *device)
{
    if (device->bus->port->channel->sensor->kind == 42) return 1;
    return 0;
}

int through_variables(struct device *device)
{
    struct bus *bus = device->bus;
    struct port *port = bus->port;
    struct sensor **spares = port->channel->spares;
    if (spares[0]->kind == 43) return 1;
    return 0;
}

static int kind_of(const struct channel *channel)
{
    return channel->sensor->kind;
}

static struct channel *channel_of(const struct bus *bus)
{
    return bus->port->channel;
}

int through_callees(struct device *device)
{
    if (kind_of(channel_of(device->bus)) == 44) return 1;
    return 0;
}

int through_a_global(void)
{
    if (current->bus->port->channel->sensor->label[0] == 'x') return 1;
    return 0;
}

/* The record is wide, and one way through it is read. */
int through_much(void *parameter)
{
    struct device *device = parameter;
    if (device->wide->h->port->channel->sensor->kind == 45) return 1;
    return 0;
}

/* A way back to the owner, as callbacks have it. */
int back_and_on(struct port *port, struct bus *bus)
{
    struct device *owner = bus->owner;
    if (!port->enabled) return -1;
    if (owner->memory[3] == 46) return 1;
    if (owner->bus->port->enabled == 47) return 2;
    return 0;
}
