/* Where a block of memory is moved, how much of it decides, though the number is made concrete there: not the branch before. */
/* EXPECT-FILE only contexts */
/* EXPECT-FILE alarms any */
#include <string.h>

struct card { int debug, type; };

/* Bug: the buffer has room for fifty-five. */
static int update(struct card *c, const unsigned char *data, unsigned n)
{
    unsigned char buffer[64];
    if (c->debug >= 2)
        c->type = 3;
    memcpy(buffer + 9, data, n); /* EXPECT alarm out-of-bounds feasible reported where n > 55 */
    return buffer[9] + c->type;
}

int refresh(struct card *c, const unsigned char *data, unsigned n)
{
    if (!c || !data)
        return 0;
    c->debug = 1;
    return update(c, data, n);
}

/* As complex as any. */
int count(int c) { return c == 'a' ? 1 : c == 'b' ? 2 : c == 'c' ? 3 : 0; }
