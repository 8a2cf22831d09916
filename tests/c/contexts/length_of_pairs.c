/* EXPECT-FILE only contexts */
/* A length counts what each step of the index takes: two numbers, from and to, so there are twice as many. */
#include <stddef.h>

struct set {
    unsigned bits[8];
};

int is_in(const unsigned *ranges, size_t n, unsigned code)
{
    size_t i;
    if (!ranges)
        return 0;
    for (i = 0; i < n; i++) {
        unsigned from = ranges[i * 2];
        unsigned to = ranges[i * 2 + 1];
        if (from <= code && code <= to)
            return 1;
    }
    return 0;
}

int is_before(const unsigned *ranges, size_t n, unsigned code)
{
    size_t i;
    if (!ranges)
        return 0;
    for (i = 0; i <= n; i++)
        if (ranges[2 * i] < code) /* EXPECT alarm out-of-bounds feasible */
            return 1;
    return 0;
}

int check(const struct set *set, unsigned code)
{
    static const unsigned letters[] = { 65, 90, 97, 122 };
    return set && (is_in(letters, 2, code) || is_before(letters, 2, code));
}

/* Trap: what is at the number itself is there, as it is read whatever the number is. */
int neighbour(const int *x, int n)
{
    int i, found = 0;
    if (!x)
        return -1;
    for (i = 0; i < n; i++)
        if (x[i] > x[found] && x[i] < x[n])
            found = i;
    return found;
}

/* An array in all but name: nothing says how long. */
struct item {
    int length;
    int codes[3];
};

int fill(const char *p, struct item items[])
{
    int n = 0;
    if (!p || !items)
        return -1;
    while (*p == 'a') {
        items[n].length = 1; /* EXPECT alarm out-of-bounds unit doubtful */
        n++;
        p++;
    }
    return n;
}
