/* What the program puts into members of its records, and where it cannot be told. */
#include <stdlib.h>
#include <string.h>

struct ring { unsigned char bytes[32]; unsigned head, tail, used; };
struct list { int items[16]; unsigned n; int last; };
struct header { unsigned kind, length; };
struct lent { unsigned n; };
struct shown { unsigned n, m; };
struct packet { struct header header; unsigned n; };
struct limits { int least, most; unsigned mode : 2; };
union either { struct lent lent; char text[4]; };
struct copied { unsigned n; };
struct foreign { unsigned n; };
struct looped { int n, m, other; };

void fill(struct foreign *);
void note(void);
static struct limits limits = {-3, 9, 1};

static int put(struct ring *ring, int byte)
{
    unsigned next = (ring->head + 1) % sizeof ring->bytes;
    if (next == ring->tail) return -1;
    ring->bytes[ring->head] = (unsigned char)byte;
    ring->head = next;
    if (ring->used < 32) ring->used++;
    return 0;
}

static int get(struct ring *ring)
{
    if (ring->used == 0) { note(); return -1; }
    ring->used--;
    int byte = ring->bytes[ring->tail];
    ring->tail = (ring->tail + 1) & 31;
    return byte;
}

static int add(struct list *list, int item)
{
    if (list->n >= 16) return -1;
    list->last = -1;
    list->items[list->n++] = item;
    return 0;
}

static void drop(struct list *list)
{
    if (list->n) list->n--;
}

static unsigned kind(const char *bytes)
{
    const struct header *header = (const struct header *)bytes;
    struct header own = {1, 2};
    return header->kind + own.length;
}

static unsigned show(struct shown *shown)
{
    unsigned *at = &shown->n;
    shown->n = 3;
    shown->m = 3;
    return *at;
}

static struct copied *copy(const struct copied *from)
{
    struct copied *to = malloc(sizeof *to);
    if (!to) return NULL;
    memcpy(to, from, sizeof *to);
    if (to->n < 8) to->n += 2;
    return to;
}

static void loop(struct looped *looped)
{
    if (looped->n < 4)
        for (int i = 0; i < 3; i++) looped->n++;
    if (looped->m < 4) {
        note();
        looped->m++;
    }
}

int main(int argc, char **argv)
{
    struct ring ring;
    struct list list = {{0}, 0, 0};
    struct packet packet = {.n = 5};
    struct copied copied = {0};
    struct foreign foreign = {1};
    struct looped looped = {0, 0, 0};
    union either either;
    struct shown shown = {0, 0};
    memset(&ring, 0, sizeof ring);
    put(&ring, argc);
    add(&list, get(&ring));
    drop(&list);
    either.lent.n = 1;
    fill(&foreign);
    loop(&looped);
    limits.mode = argc;
    free(copy(&copied));
    return (int)(kind(argv[0]) + packet.n + show(&shown) + either.lent.n + foreign.n) + limits.most + looped.other;
}

/* What holds between a step and the check behind it is nobody else's business. */
struct wheel { int a, b, c, d, e, f, g; };
typedef enum { IDLE, HEAD, DATA, STATES } state;
static struct { state state; unsigned char got; } machine;

void turn(struct wheel *wheel, int n)
{
    wheel->a++;
    wheel->b++;
    if (wheel->a == 8) wheel->a = 0;
    if (wheel->b >= 9) { wheel->b = 0; }
    if (++wheel->c >= 10) wheel->c = 0;
    if (wheel->d++ >= 10) wheel->d = 0;
    while (n--) wheel->e++;
    if (wheel->e == 12) wheel->e = 0;
    wheel->f++;
    note();
    if (wheel->f == 13) wheel->f = 0;
    wheel->g--;
    if (wheel->g < sizeof *wheel) wheel->g = 40;
}

void step(int byte)
{
    switch (machine.state) {
    case IDLE: if (byte == 1) machine.state = HEAD; break;
    case HEAD: machine.state = DATA; machine.got = 0; break;
    case DATA: machine.got++; if (machine.got >= 20) machine.got = 0; machine.state = IDLE; break;
    default: machine.state = IDLE;
    }
}
