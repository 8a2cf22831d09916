/* Elements of a table in an object are members like others: the program sets them one by one, and a driver that sets each on
 * its own says nothing of it. What is copied into an array as a whole is data, which may be anything. */
/* EXPECT-FILE only contexts */
#include <assert.h>
#include <string.h>

struct book { int first[8]; unsigned char name[8]; int used; };

/* Trap: `define` puts nothing below one there. */
int look_up(struct book *b, unsigned which)
{
    if (!b)
        return 0;
    which &= 7;
    assert(b->first[which] > 0); /* EXPECT alarm assertion unit doubtful */
    return b->first[which];
}

void define(struct book *b, int which, int value)
{
    if (b && which >= 0 && which < 8)
        b->first[which] = value > 0 ? value : 1;
}

/* Bug: a name is whatever came in. */
int starts(struct book *b)
{
    if (!b)
        return 0;
    assert(b->name[0] != 'x'); /* EXPECT alarm assertion unit reported */
    return b->name[0];
}

void name(struct book *b, const unsigned char *line)
{
    if (b && line)
        memcpy(b->name, line, sizeof b->name);
}

/* As complex as any. */
int count(int c) { return c == 'a' ? 1 : c == 'b' ? 2 : c == 'c' ? 3 : 0; }
