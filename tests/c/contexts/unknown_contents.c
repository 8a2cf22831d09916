/* Pointers out of memory that the driver knows nothing about: an object of another type than the program takes it for,
 * bytes behind a `void *`. Null there is not the program's. */
/* EXPECT-FILE only contexts */
#include <stdlib.h>
#include <string.h>

struct head { int kind; unsigned long uses; };
struct text { struct head head; char *value; unsigned long length; };
struct row { struct head head; unsigned long size, used; };
struct sink { unsigned long used; char *to; };

/* Trap: who calls it knows that both are texts. */
static int same_text(const struct head *one, const struct head *other)
{
    const struct text *a, *b;
    if (!one || !other) return 0;
    a = (const struct text *)one, b = (const struct text *)other;
    return a->length == b->length && !memcmp(a->value, b->value, a->length); /* EXPECT alarm null-dereference feasible doubtful */
}

unsigned long size_of(const struct head *head) { return head && head->kind == 2 ? ((const struct row *)head)->size : 0; }

int equal(const struct head *one, const struct head *other)
{
    if (!one || !other || one->kind != other->kind) return 0;
    return one->kind == 1 ? same_text(one, other) : size_of(one) == size_of(other);
}

/* Trap: what is behind `data` is a sink with memory. */
static int put(const char *from, unsigned long size, void *data)
{
    struct sink *sink = data;
    if (!from || !sink || size > 4) return -1;
    memcpy(sink->to + sink->used, from, size); /* EXPECT alarm null-dereference unit doubtful */
    return 0;
}
int (*putter)(const char *, unsigned long, void *) = put;

/* Bug: the program itself puts null there. */
int lost(int n)
{
    struct sink *sink = malloc(sizeof *sink);
    int first;
    if (!sink) return -1;
    sink->to = n == 5 ? 0 : "abc";
    first = sink->to[0]; /* EXPECT alarm null-dereference unit reported */
    free(sink);
    return first;
}
