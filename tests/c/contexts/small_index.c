/* An index of one byte, taken as it is given, by the function or by one that it calls: callers know how many there are.
 * A character is no such number, nor is an index that somebody checks. */
/* EXPECT-FILE only contexts */
#include <stdint.h>
struct port { int speed; uint8_t flags; };
static struct port ports[4];
static const char kinds[128] = { 1 };

/* Trap: no port has a greater number. */
int speed(uint8_t port) { return ports[port].speed; }

/* Trap: ports are counted from one. */
static struct port *get(uint8_t number) { return &ports[number - 1]; }
int flags(uint8_t number) { return get(number)->flags; }

/* Trap: two calls away. */
static int busy(uint8_t number) { return get(number)->flags & 1; }
int ready(uint8_t number, int now) { return now && !busy(number); }

/* Trap: zero is no port, and is asked for. */
static struct port *find(uint8_t number)
{
    if (!number) /* EXPECT covered all */
        return 0;
    return &ports[number - 1];
}
int is_open(uint8_t number)
{
    struct port *port = find(number);
    return port ? port->flags & 2 : 0; /* EXPECT covered all */
}

/* Trap: what is looked up is compared, not the number. */
int is_fast(uint8_t port) { return ports[port].speed > 100; }

/* Bug: characters are what a text has. */
int kind(unsigned char letter) { return kinds[letter]; } /* EXPECT alarm out-of-bounds unit reported */

/* Bug: the check is wrong. */
int checked(uint8_t port)
{
    if (port > 4)
        return 0;
    return ports[port].speed; /* EXPECT alarm out-of-bounds unit reported */
}

/* Bug: the check is wrong, and in what it calls. */
static struct port *get_checked(uint8_t number) { return number > 4 ? 0 : &ports[number]; }
int set(uint8_t number)
{
    struct port *port = get_checked(number);
    if (port)
        port->speed = 1; /* EXPECT alarm out-of-bounds unit reported */
    return 0;
}
