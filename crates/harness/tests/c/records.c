/* Members of every kind; lists and trees are bounded. */
#include <pthread.h>
#include <stdint.h>

struct point { int x, y; };

struct node {
    int key;
    struct node *next;
    char *name;
};

typedef struct tree {
    struct tree *left, *right;
    struct point where;
    double weight;
} tree_t;

struct flags {
    unsigned urgent : 1;
    signed delta : 5;
    unsigned : 0;
    unsigned long long wide : 40;
    enum { LOW, HIGH } level : 2;
    _Bool on : 1;
};

struct mixed {
    struct {
        int inner;
        union {
            int as_int;
            float as_float;
        };
    };
    union {
        struct node *list;
        long number;
        void (*call)(int);
    } u;
    union {
        uint32_t word;
        struct { unsigned low : 4, high : 28; } bits;
    } reg;
    union { struct point p; char raw[24]; } blob;
    const int fixed;
    const char *const label;
    volatile int status;
    struct point corners[4];
    struct node *heads[3];
    int matrix[3][4];
    char big[4096];
    struct point many[200];
    pthread_mutex_t lock;
    struct flags f;
    struct { int a; struct { char *b; } deep; } unnamed;
};

struct packet {
    unsigned length;
    uint8_t data[];
};

struct path {
    int count;
    struct node *steps[];
};

struct __attribute__((packed)) packed { char tag; int value; };
struct empty {};

int list(struct node *head) { return head ? head->key : 0; }
int tree(tree_t *t, const struct tree *same) { return t == same; }
int by_value(struct point p, struct flags f, struct node n) { return p.x + f.delta + n.key; }
int mixed(struct mixed *m) { return m->u.number != 0; }
int flexible(struct packet *p, struct path *q) { return p->data[0] + q->count; }
int others(struct packed *p, struct empty *e, struct mixed **table) { return p->value + (e && table); }
struct point make(void) { struct point p = {0, 0}; return p; }
tree_t *grow(void) { return 0; }
