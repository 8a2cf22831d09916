/* EXPECT-FILE only contexts */
/* What an assertion is there for. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct machine {
    unsigned state : 7;
    int count;
};

static struct machine only;

/* It ends the program, which is what it is for. */
void never(const char *what)
{
    fprintf(stderr, "%s is not to happen\n", what ? what : "this");
    abort(); /* EXPECT alarm assertion unit doubtful */
}

/* Every caller has the one machine. */
int count(struct machine *m)
{
    assert(m == &only); /* EXPECT alarm assertion unit doubtful */
    return m->count;
}

/* The machine is in no other state. */
int step(struct machine *m, int c)
{
    if (!m)
        return -1;
    switch (m->state) {
    case 0: m->state = c == 'a'; return 1;
    case 1: m->state = 2; return 2;
    case 2: m->state = 0; return 3;
    default: assert(0 && "unknown state"); /* EXPECT alarm assertion unit doubtful */
    }
    return 0;
}

/* Bug: a text may begin with anything. */
int ask(const char *text)
{
    if (!text)
        return -1;
    switch (text[0]) {
    case 'a': return 10;
    case 'b': return 20;
    default: abort(); /* EXPECT alarm assertion unit reported */
    }
}
