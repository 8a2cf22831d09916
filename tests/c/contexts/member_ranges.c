/* Members hold what the program puts into them: an index that wraps around, a counter that is checked before it grows. Bytes
 * that are taken for a record can be anything, and a check that lets one too many through is seen where it stands. */
/* EXPECT-FILE only contexts */
/* EXPECT-FILE assuming ranges */
#include <stddef.h>

struct ring { unsigned char bytes[32]; unsigned head, tail; };
struct list { int items[16]; unsigned n; };
struct stack { int items[8]; int depth; };
struct header { unsigned kind, length; };

static const int sizes[4] = {1, 2, 4, 8};
static struct stack stack;
static const char *names[10];
static int count;

int ring_get(struct ring *ring)
{
    if (!ring || ring->head == ring->tail)
        return -1;
    int byte = ring->bytes[ring->tail];
    ring->tail = (ring->tail + 1) % 32;
    return byte;
}

int ring_put(struct ring *ring, int byte)
{
    if (!ring)
        return -1;
    unsigned next = (ring->head + 1) % sizeof ring->bytes;
    if (next == ring->tail)
        return -1;
    ring->bytes[ring->head] = (unsigned char)byte;
    ring->head = next;
    return 0;
}

int list_add(struct list *list, int item)
{
    if (!list || list->n >= 16)
        return -1;
    list->items[list->n++] = item;
    return 0;
}

int list_at(const struct list *list, unsigned i)
{
    if (list && i < list->n)
        return list->items[i];
    return -1;
}

void list_drop(struct list *list, unsigned at)
{
    if (!list || at >= list->n)
        return;
    for (; at + 1 < list->n; at++)
        list->items[at] = list->items[at + 1];
    list->n--;
}

int list_sum(const struct list *list)
{
    int sum = 0;
    for (unsigned i = 0; list && i < list->n; i++)
        sum += list->items[i] & 15;
    return sum;
}

/* One too many. */
int push(int item)
{
    if (stack.depth > 8)
        return -1;
    stack.items[stack.depth++] = item; /* EXPECT alarm out-of-bounds unit */
    return 0;
}

int name_add(const char *name)
{
    if (count >= 10)
        return -1;
    names[count++] = name;
    return 0;
}

const char *name_at(int at)
{
    return at >= 0 && at < count ? names[at] : NULL;
}

/* The length comes from outside, whatever the program writes into its own headers. */
int size_of(const unsigned char *bytes, size_t length)
{
    if (!bytes || length < sizeof(struct header))
        return -1;
    const struct header *header = (const struct header *)bytes;
    return sizes[header->kind]; /* EXPECT alarm out-of-bounds unit */
}

void head(struct header *header)
{
    if (header && header->kind < 3)
        header->kind++;
}

/* The index is one too high for a moment only. */
struct wheel { unsigned char bytes[16]; unsigned char head, tail, used; };

int wheel_put(struct wheel *wheel, unsigned char byte)
{
    if (!wheel || wheel->used == sizeof wheel->bytes)
        return -1;
    wheel->bytes[wheel->head] = byte;
    wheel->head++;
    if (wheel->head >= sizeof wheel->bytes)
        wheel->head = 0;
    wheel->used++;
    return 0;
}

int wheel_get(struct wheel *wheel)
{
    if (!wheel || wheel->used == 0)
        return -1;
    int byte = wheel->bytes[wheel->tail++];
    if (wheel->tail == sizeof wheel->bytes)
        wheel->tail = 0;
    wheel->used--;
    return byte;
}

/* And here it is reset too late. */
static struct { unsigned char bytes[16]; unsigned at; } late;
int late_put(unsigned char byte)
{
    late.bytes[late.at] = byte; /* EXPECT alarm out-of-bounds unit */
    late.at++;
    if (late.at > 16)
        late.at = 0;
    return 0;
}

enum state { IDLE, HEAD, DATA, STATES };
static const int timeouts[STATES] = {0, 10, 20};
static struct { enum state state; } machine;

int timeout(void)
{
    return timeouts[machine.state];
}

void step(int byte)
{
    machine.state = machine.state == IDLE && byte ? HEAD : machine.state == HEAD ? DATA : IDLE;
}
