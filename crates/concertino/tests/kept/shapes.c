/* Inputs and results of many kinds: what an exported test has to write out by name. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum mode { OFF, SLOW, FAST };

struct flags { unsigned urgent : 1, kind : 3; signed offset : 4; };

struct packet {
    struct flags flags;
    enum mode mode;
    unsigned short length;
    char name[8];
    double gain;
    union { unsigned raw; unsigned char bytes[4]; } tail;
    struct packet *next;
};

int level = 3;
static unsigned history[4];
int sensor(int channel); /* nothing defines it: a stub */

typedef int rule(int);
static int twice(int n) { return n > 1000 ? 0 : 2 * n; }
static int negate(int n) { return n == -5 ? 1 : 0; }
rule *current = twice;
void choose(int which) { current = which ? negate : twice; }

int classify(struct packet *p, int limit)
{
    if (!p) return -1;
    if (p->flags.urgent && p->flags.kind == 5 && p->flags.offset == -3) {
        p->length = 7;
        return p->next && p->next->mode == FAST ? 3 : 2;
    }
    if (p->gain > 2.5 && p->tail.raw == 0x01020304) return 4;
    if (strcmp(p->name, "go") == 0) return limit > 9 ? 5 : 6;
    return 0;
}

unsigned remember(unsigned at, unsigned value)
{
    history[at % 4] = value;
    if (history[0] == 9 && level > 10) level--;
    return history[at % 4];
}

int measure(void)
{
    int first = sensor(1);
    if (first > 100 && sensor(2) < 0) return 1;
    return first == 0 ? 0 : -1;
}

int apply(int n)
{
    if (!current) return -1;
    return current(n) == 1 || current(n) == 84;
}

int toggles(int on)
{
    static int last;
    int changed = last != 0 && on == 0;
    last = on;
    return changed;
}

float scale(float x, const float *factors)
{
    if (factors && factors[1] > 1.5f && x < 0) return x * factors[1];
    return x;
}

/* A stub that returns objects, and a pointer for which the program has no function. */
struct packet *receive(int port);
int relay(int (*accepts)(const struct packet *, int), int port)
{
    struct packet *p = receive(port);
    if (!p || !accepts) return -1;
    if (accepts(p, port) == 12 && p->length > 3) {
        struct packet *more = receive(port + 1);
        return more && more->mode == SLOW ? 2 : 1;
    }
    return 0;
}

struct frame { unsigned length; unsigned char data[]; };
unsigned checksum(const struct frame *f)
{
    unsigned sum = 0, i;
    if (!f || f->length > 4) return 0;
    for (i = 0; i < f->length; i++) sum += f->data[i];
    return sum == 200 ? 1 : 2;
}

/* What fresh memory holds is no result. */
struct text { char *start; int used; };
int grow(struct text *text, char first)
{
    char *fresh;
    if (!text || text->used != 9) return 0;
    fresh = malloc(12);
    if (!fresh) return -1;
    fresh[0] = first;
    text->start = fresh;
    return 1;
}

/* A member that leads back to the object above. */
struct item { struct item *next, *before; int weight; };
int chained(struct item *item)
{
    if (!item || !item->next) return 0;
    if (item->next->before == item) return item->next->before->weight == 4 ? 2 : 1;
    item->next->before = item;
    return 3;
}

/* A file that is handed over, and read. */
int script(FILE *from)
{
    if (!from) return -1;
    if (getc(from) != '#') return feof(from) ? 0 : 1;
    return getc(from) == '!' ? 3 : 2;
}

/* An address in bytes: which they are is no result, also where two runs of one build agree. */
struct bytes { unsigned char of_pointer[8]; int used; };
int keep_address(struct bytes *to, const int *from)
{
    if (!to || !from) return 0;
    memcpy(to->of_pointer, &from, sizeof from);
    to->used = 8;
    return *from == 6 ? 2 : 1;
}

/* What a stub does not write is whatever was there: no result either. */
struct area { int width, height; };
int area_of(int window, struct area *area);
int fits(int window)
{
    struct area area;
    if (!area_of(window, &area)) return 0;
    return area.width == 0 ? 1 : 2;
}
