/* Layout: bit-fields, unions, anonymous members, arrays, flexible arrays, recursion. */
#include <stddef.h>

struct node {
    struct node *next;
    int value;
};

struct flags {
    unsigned urgent : 1;
    unsigned : 3;
    int level : 5;
    unsigned long wide : 40;
};

struct packet {
    char kind;
    union {
        int number;
        float real;
        struct {
            short low, high;
        } halves;
    };
    struct {
        int x, y;
    } points[3], *origin;
    enum { RED, GREEN = 5, BLUE } color;
    size_t length;
    unsigned char data[];
};

struct __attribute__((packed)) tight {
    char c;
    int i;
};

typedef struct {
    int a;
} named_by_typedef;

typedef struct {
    double d;
} *pointer_only;

struct opaque;

int list_sum(struct node *n)
{
    int sum = 0;
    for (; n; n = n->next)
        sum += n->value;
    return sum;
}

int flags_get(struct flags f, const struct packet *p, struct tight *t)
{
    return f.urgent ? p->number : t->i;
}

double others(named_by_typedef n, pointer_only p, struct opaque *o)
{
    return o ? n.a : p->d;
}
