/* Tables of function pointers, callbacks in structs, pointers that are compared, and calls by computed index. */
#include <stddef.h>

typedef int operation(int, int);

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int multiply(int a, int b) { return a * b; }

static operation *const operations[] = {add, subtract, multiply};

int dispatched(unsigned which, int a)
{
    int r = operations[which % 3](a, 3);
    if (r == 21 && which % 3 == 2) return 1; /* EXPECT covered all */
    return r == 4;
}

struct handler { operation *run; int bias; };

int callback(const struct handler *h, int x)
{
    if (!h || !h->run) return 0;
    if (h->run == subtract) return h->bias; /* EXPECT covered all */
    return h->run(x, h->bias) == 64;
}
