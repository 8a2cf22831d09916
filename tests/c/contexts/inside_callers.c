/* A context that begins at a function which only the program calls shows nothing about what the program is given. Here
 * functions call each other, and the one that everybody may call lets only the right depth in. */
static const int table[4] = {4, 3, 2, 1};

static int list(int depth, int c);

/* Trap: no depth beyond three gets here; not every path from above can be executed, so nothing is dropped. */
static int item(int depth, int c)
{
    if (c == 1)
        return list(depth, c - 1);
    return table[depth]; /* EXPECT alarm out-of-bounds unit */
}

static int list(int depth, int c)
{
    int sum = 0;
    for (int i = 0; i < c && i < 4 && depth != 9; i++)
        sum += item(depth, i);
    return sum;
}

int parse(const char *text)
{
    int sum = 0;
    while (text && *text)
        sum += list(2, *text++);
    return sum;
}

/* Bug: here nobody guards. */
static int get(int at) { return at == 100 ? 0 : table[at]; } /* EXPECT alarm out-of-bounds feasible */

int fetch(int at) { return at < 0 ? 0 : get(at); }
