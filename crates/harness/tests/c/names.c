/* Names of the program that mean something else where the harness uses them. */
typedef int p;
typedef struct at { int depth; p count; struct at *i; } at;
int count;
struct holder { p value; at *next; };

static int index_of(at *at, p p, int count) { return at->depth + p + count; }
int holder(struct holder *holder, struct holder other) { return holder->value + other.value; }
int typedef_named(at *at, struct at *other) { return at == other; }
int reads_count(int i) { return i + count; }

struct macros { int value; int index; int later; };
int macros(struct macros *m, int first, int free) { return m->value + m->index + first + free; }
int hidden_by_macro(int x) { return x; }

#define value(x) ((x) + 1)
#define index strchr
#define later 12
#define first (
#define free my_free
#define hidden_by_macro(x) something_else(x)
#define m )
#define static
#define const
#define depth 3
