/* A global that the program keeps in bounds in one function is in bounds where another one indexes with it. Not where
   nobody checks it, nor where the function changes it itself. */
/* EXPECT-FILE only contexts */
#define DEPTH 8

static int lines[DEPTH], states[DEPTH];
static int depth;
static int mode;
static int next;

int open_level(int line)
{
    if (depth < 0 || depth >= DEPTH - 1)
        return -1;
    depth += 1;
    lines[depth] = line;
    return 0;
}

void close_level(void)
{
    if (depth > 0)
        depth--;
}

int line_of_level(void)
{
    return lines[depth];
}

int state_of_level(int other)
{
    return states[other > 0 ? 0 : depth] + states[depth];
}

void set_mode(int wanted)
{
    mode = wanted;
}

int line_of_mode(void)
{
    return lines[mode]; /* EXPECT alarm out-of-bounds unit */
}

void append(int line)
{
    lines[next] = line; /* EXPECT alarm out-of-bounds unit */
    next++;
}

int is_full(void)
{
    return next == DEPTH;
}
