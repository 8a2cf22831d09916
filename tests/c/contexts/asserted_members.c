/* An assertion over members of an object, which a driver sets each on its own, fails for the driver's sake as a check
 * does. One over a parameter is for the caller to keep. */
/* EXPECT-FILE only contexts */
#include <assert.h>
#include <stdio.h>

struct stream { int at; int end; };

/* Trap: the program moves `at` first. */
static int back(struct stream *s, int steps)
{
    if (!s)
        return 0;
    assert(s->at > s->end); /* EXPECT alarm assertion unit doubtful */
    s->at--;
    return steps;
}

/* Bug: main hands on whatever it reads. */
static int move(struct stream *s, int steps)
{
    if (!s)
        return 0;
    assert(steps != 'x'); /* EXPECT alarm assertion feasible */
    s->at = steps;
    return s->at;
}

/* As complex as any. */
static int count(int c) { return c == 'a' ? 1 : c == 'b' ? 2 : c == 'c' ? 3 : 0; }

int main(void)
{
    static struct stream s;
    int c;
    while ((c = getchar()) != EOF) {
        s.at = s.end + 1;
        back(&s, c);
        s.at = s.end + 1;
        move(&s, c + 0 * count(c));
    }
    return 0;
}
