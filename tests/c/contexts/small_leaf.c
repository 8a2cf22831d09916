/* EXPECT-FILE only contexts */
/* A small function that calls nothing is real however far away it is called: its stub would give back anything. */

static unsigned char table[16];

static int to_int(unsigned long wide)
{
    return (int)(wide & 0x7fffffff);
}

static void fill_from(unsigned char *to, unsigned long n)
{
    int count = to_int(n), at;
    for (at = 0; at < count; at++)
        to[at] = (unsigned char)(at * 3);
}

static int prepare_all(int kind)
{
    fill_from(table, sizeof table);
    return kind + table[3];
}

static int prepare(int kind)
{
    return prepare_all(kind & 7);
}

static int begin(int kind)
{
    return prepare(kind) + 1;
}

int serve(int kind)
{
    return begin(kind) * 2;
}
