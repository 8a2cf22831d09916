/* An address that was made concrete, and leads out of its object, is caused by what it was computed from: here members of a
 * state, which the program keeps together. */
/* EXPECT-FILE only contexts */

struct state { unsigned method; unsigned at; };

static const char *const names[] = { "GET", "HEAD", "POST", "OPTIONS", "DELETE" };

/* Trap: `start` sets both, and at the end of the name nothing is counted. */
int step(struct state *s, int c)
{
    if (!s)
        return 0;
    const char *name = names[s->method % 5];
    if (name[s->at] == c) { /* EXPECT alarm out-of-bounds unit doubtful */
        s->at += c != 0;
        return 1;
    }
    return 0;
}

void start(struct state *s, int method)
{
    if (!s)
        return;
    s->method = method < 0 ? 0 : method % 5;
    s->at = 0;
}

/* As complex as any. */
int count(int c) { return c == 'a' ? 1 : c == 'b' ? 2 : c == 'c' ? 3 : 0; }
