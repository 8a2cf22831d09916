/* Designated initialisers, compound literals, nested and out of order, with ranges. */
/* EXPECT-FILE covered all */
struct limits { int low, high; const char *name; };

static const struct limits table[4] = {
    [2] = {.high = 20, .low = 10, .name = "mid"},
    [0] = {.low = -5, .high = 5},
    [3].high = 99,
};

static const char classes[256] = {['0' ... '9'] = 1, ['a' ... 'f'] = 2, ['A' ... 'F'] = 2};

int within(unsigned row, int x)
{
    const struct limits *l = &table[row & 3];
    if (l->name && x > l->low && x < l->high) return 1;
    return 0;
}

int class_of(unsigned char c)
{
    if (classes[c] == 1) return 1;
    if (classes[c] == 2) return 2;
    return 0;
}

int literal(int x)
{
    struct limits l = (struct limits){.low = x, .high = 100};
    int *p = (int[]){x, x + 1, x + 2};
    if (l.high - l.low == 58) return 1;
    if (p[2] == 45) return 2;
    return 0;
}
