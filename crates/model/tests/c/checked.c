/* What callers compare before they call. */
int table[8];
int read_number(void);
void *read_memory(void);

static int early(int n) { return table[n]; }
int calls_early(int n) { if (n < 0 || n > 7) return -1; return early(n); }

static int within(int n) { return table[n]; }
int calls_within(int n) { if (n < 8) return within(n); return 0; }

static int unchecked(int n) { return table[n]; }
int calls_unchecked(int n) { if (n < 8) return unchecked(n); return unchecked(n - 8); }

static int changed(int n) { return table[n]; }
int calls_changed(int n) { if (n > 7) return 0; n = read_number(); return changed(n); }

static int with_constant(int n) { return table[n]; }
int calls_with_constant(int n) { if (n > 7) return 0; return with_constant(n) + with_constant(3); }

static int inner(int n) { return table[n]; }
static int outer(int n) { return inner(n); }
int calls_outer(int n) { if (n > 7) return 0; return outer(n); }

static int computed(int n) { return table[n]; }
int calls_computed(int a) { int b = read_number(); if (a > 3) return 0; if (b > 3) return 0; return computed(a + b); }

int exported(int n) { return table[n]; }
int calls_exported(int n) { if (n > 7) return 0; return exported(n); }

static int taken(int n) { return table[n]; }
int (*pointer)(int) = taken;
int calls_taken(int n) { if (n > 7) return 0; return taken(n); }

/* What is behind a pointer: every value that is put there. */
static int contents(unsigned char *bytes) { return table[bytes[0]]; }
int calls_contents(int count)
{
    unsigned char bytes[16];
    int i;
    for (i = 0; i < count; i++) {
        int length = read_number();
        if (length >= 8)
            return 0;
        bytes[i] = length;
    }
    bytes[count] = 255;
    for (; i < 16; i++) {
        bytes[i] = read_number();
        if (bytes[i] == 9)
            return 0;
    }
    return contents(bytes);
}

static int some_contents(unsigned char *bytes) { return table[bytes[0]]; }
int calls_some_contents(int count)
{
    unsigned char *bytes = read_memory();
    int length = read_number();
    bytes[0] = length;
    length = 3;
    if (count > 8)
        return 0;
    bytes[1] = count;
    return some_contents(bytes);
}

static int other_contents(unsigned char *bytes) { return table[bytes[0]]; }
int calls_other_contents(int n)
{
    unsigned char bytes[1];
    if (n) {
        bytes[0] = read_number();
    } else {
        bytes[0] = read_number();
        if (bytes[0] > 7)
            return 0;
    }
    return other_contents(bytes);
}

/* Members that belong together, and members by the functions that fill them. */
struct text { char *start, *pointer, *end; };
static void put(struct text *to) { *to->pointer++ = 'a'; }
int calls_put(void)
{
    struct text text = { read_memory(), 0, 0 };
    while (read_number()) {
        if (text.pointer + 5 >= text.end)
            return 0;
        put(&text);
    }
    return 1;
}

static void put_before(struct text *to) { *to->pointer++ = 'a'; }
int calls_put_before(void)
{
    struct text text = { read_memory(), 0, 0 };
    while (read_number()) {
        if (read_number()) {
            put_before(&text);
        } else {
            if (text.pointer + 5 >= text.end)
                return 0;
            *text.pointer++ = 'b';
        }
    }
    return 1;
}

struct floor { int xs[8], ys[8], count; };
struct pair { int x, id; };
int fill(struct floor *g)
{
    struct pair p[8];
    for (int i = 0; i < 8; i++) {
        g->xs[i] = read_number();
        g->ys[i] = read_number();
    }
    g->xs[0] = 0;
    g->xs[1] = 1 << g->count;
    for (int i = 0; i < 8; i++)
        p[i].x = g->xs[i];
    for (int i = 0; i < 7; i++)
        if (p[i].x == p[i + 1].x)
            return 0;
    return 1;
}
static int slope(int x0, int x1, int y0) { return y0 / (x1 - x0); }
int calls_slope(struct floor *g, int low, int high) { return slope(g->xs[low], g->xs[high], g->ys[low]); }
