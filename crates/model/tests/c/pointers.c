/* Function pointers: calls through them, and what is put into them. */
#include <stdlib.h>

typedef int (*op)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static int neg(int a) { return -a; }
static int zero(void) { return 0; }
static void log_it(const char *s) { }

op single = add;
op several[] = { add, &sub, [4] = mul, [6 ... 8] = (op)neg };
op matrix[2][2] = { add, sub, { mul } };
op never_set;

struct command {
    const char *name;
    struct {
        int arity;
        union { op two; int (*one)(int); } run;
    } how;
    op spare[2];
    void (*log)(const char *);
};

static const struct command commands[] = {
    { "add", { 2, { add } }, { sub, mul }, log_it },
    { .name = "neg", .how = { .arity = 1, .run.one = neg }, .log = log_it },
    { .how.run.two = sub, .spare[1] = add },
    "flat", 2, mul, add, add, NULL,
};

struct hooks { void *(*allocate)(size_t); void (*release)(void *); } hooks = { malloc, free };

int direct(void) { return add(1, 2) + (*sub)(3, 4) + (&mul)(5, 6); }
int indirect(op f, const struct command *c, int i) { return f(1, 2) + several[i](3, 4) + c->how.run.one(5); }
void assign(struct command *c, int k)
{
    c->log = log_it;
    c->spare[k] = k ? add : sub;
    never_set = mul;
    hooks.release = (void (*)(void *))zero;
    struct command local = { .how.run.two = mul };
    (void)local;
}
void pass(void) { qsort(0, 0, 0, (int (*)(const void *, const void *))add); atexit((void (*)(void))zero); }
int unprototyped(int (*f)()) { return f(1); }
void through_void(void *p) { ((void (*)(void))p)(); }
