/* EXPECT-FILE only contexts */
/* Pointers that a function subtracts or compares by order point into one piece of memory, whatever they are called. */

static int same(const unsigned char *left, const unsigned char *right, long n)
{
    if (!left || !right)
        return 0;
    while (n-- > 0)
        if (*left++ != *right++)
            return 0;
    return 1;
}

/* Two pieces: what is looked for, and where. */
const unsigned char *look_for(const unsigned char *what, const unsigned char *what_to, const unsigned char *in,
                              const unsigned char *in_to, const unsigned char *no_further)
{
    const unsigned char *to = in_to;
    const unsigned char *at;
    if (!what || !in)
        return 0;
    if (to > no_further)
        to = no_further;
    for (at = in; at < to; at++)
        if (*at == *what /* EXPECT alarm out-of-bounds unit */ && in_to - at >= what_to - what && same(at, what, what_to - what))
            return at;
    return 0;
}

/* The same through a function that gets them as they are. */
static int sum(const unsigned char *one, const unsigned char *other)
{
    int total = 0;
    while (one < other)
        total += *one++;
    return total;
}

int is_even(const unsigned char *one, const unsigned char *other)
{
    return sum(one, other) % 2 == 0;
}

/* One too far is seen. */
int last(const unsigned char *one, const unsigned char *other)
{
    int found = 0;
    if (!one)
        return 0;
    while (one <= other) {
        found = *one; /* EXPECT alarm out-of-bounds unit reported */
        one++;
    }
    return found;
}

/* What two pointers tell the end of is not what a third one, a string, leads to. */
static unsigned long length(const char *text)
{
    unsigned long n = 0;
    while (text && text[n])
        n++;
    return n;
}

const char *value_of(const char *from, const char *to, const char *name)
{
    unsigned long n, at;
    if (!from || !name)
        return 0;
    n = length(name);
    if ((unsigned long)(to - from) < n)
        return 0;
    for (at = 0; at < n; at++)
        if (from[at] != name[at])
            return 0;
    return from + n;
}

/* Nor is what a number tells the length of, be it compared with how far the string goes. */
int is_entry(const unsigned char *name, const unsigned char *data, int data_length)
{
    int at, sum = 0;
    if (!name || !data)
        return 0;
    for (at = 0; name[at]; at++)
        sum += name[at];
    for (at = 0; at < data_length; at++)
        sum -= data[at];
    return sum == 7;
}
