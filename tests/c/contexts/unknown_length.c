/* How much is behind a pointer only the program knows; a driver puts something there. Where a number tells, what goes
 * beyond it is a fault; where nothing does, it is the driver's guess. */
/* EXPECT-FILE only contexts */
#include <string.h>
struct store { int *slots; unsigned mask; };

/* Trap: whoever makes a store makes as many slots as the mask lets through. */
int look(struct store *store, unsigned key)
{
    if (!store || !store->slots)
        return 0;
    return store->slots[key & store->mask]; /* EXPECT alarm out-of-bounds unit doubtful */
}

/* Bug: one more than there are. */
int last(const int *values, int count)
{
    if (!values || count < 1)
        return 0;
    return values[count]; /* EXPECT alarm out-of-bounds unit reported */
}

/* Bug: a text ends with its NUL, and nobody looks for it. */
int word(const char *text)
{
    int n = 0;
    if (!text)
        return 0;
    while (text[n] != ' ') /* EXPECT alarm out-of-bounds unit reported */
        n++;
    return n;
}

/* Bug: a text may be empty. */
int ends_line(const char *line)
{
    if (!line)
        return 0;
    return line[strlen(line) - 1] == '\n'; /* EXPECT alarm out-of-bounds unit reported */
}

/* Trap: what is before a text only its owner knows. */
int is_escaped(const char *at)
{
    return at ? at[-1] == '\\' : 0; /* EXPECT alarm out-of-bounds unit doubtful */
}

/* Bug: the same with what it made itself, which is not the first input that fails. */
int ends_own_line(char *line)
{
    char empty[4] = "";
    if (!line)
        line = empty;
    return line[strlen(line) - 1] == '\n'; /* EXPECT alarm out-of-bounds unit reported */
}
