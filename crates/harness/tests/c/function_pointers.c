/* Pointers to functions: what the program assigns, what has the type, else a function of our own. */
typedef int (*operation)(int, int);
typedef void (*handler)(const char *, ...);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int never_taken(int a, int b) { return a * b; }

struct device {
    int (*open)(const char *);
    int (*close)(void);
    const operation compute;
    operation table[2];
};

static int open_file(const char *name) { return name != 0; }
static int open_socket(const char *name) { return name == 0; }
static int close_any(void) { return 0; }

operation current = add;
static const struct device files = { open_file, close_any, add, { add, sub } };
struct device sockets = { open_socket, close_any, sub, { sub, sub } };

void set_handler(handler h) { h("x", 1); }
int apply(operation f, int a) { return f(a, a); }
int apply_current(int a) { return current(a, never_taken(a, a)); }
int run(struct device *d) { return d->open("x") + d->close() + d->compute(1, 2) + d->table[0](1, 2); }
int direct(int callback(struct device *, long)) { return callback(0, 1); }
operation choose(int which) { return which ? add : sub; }
const struct device *any(void) { return &files; }
int through(operation *table) { return table[0](1, 2); }
int unprototyped(int (*f)()) { return f(1); }
