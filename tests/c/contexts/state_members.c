/* A machine that is called again and again keeps its place in a struct. A driver sets each member on its own, so
 * an index may lie behind its array and a pointer may be null where the program sees to it that neither happens: one
 * cause, however many places fail. */
#include <stdio.h>

struct machine {
    int at;
    int row;
    int used[16];
    int table[4][8];
    int *out;
};

static int step(struct machine *m, int input)
{
    int at = m->at; /* EXPECT alarm null-dereference unit doubtful */
    if (input == 1)
        m->used[at] = 1; /* EXPECT alarm out-of-bounds unit doubtful */
    if (input == 2)
        return m->used[at] + 1; /* EXPECT alarm out-of-bounds unit joined */
    if (input == 3)
        return m->table[m->row][2]; /* EXPECT alarm out-of-bounds unit doubtful */
    if (input == 4)
        return *m->out; /* EXPECT alarm null-dereference unit doubtful */
    if (input == 5)
        *m->out = 1; /* EXPECT alarm null-dereference unit joined */
    return 0;
}

/* The check is there, and wrong by one: worth a look, whoever sets the member. */
int peek_checked(struct machine *m)
{
    if (!m)
        return 0;
    if (m->at < 0 || m->at > 16)
        return -1;
    return m->used[m->at]; /* EXPECT alarm out-of-bounds unit reported */
}

/* The same where callers get there, and none makes it happen. */
static int step_checked(struct machine *m, int input)
{
    int at = m->at; /* EXPECT alarm null-dereference unit doubtful */
    if (at < 0 || at > 16)
        return -1;
    return m->used[at] + input; /* EXPECT alarm out-of-bounds unit joined */
}

/* What a parameter says is for the caller to choose. */
int peek_at(struct machine *m, int at)
{
    if (!m || at < 0)
        return -1;
    return m->used[at]; /* EXPECT alarm out-of-bounds unit reported */
}

/* It does, and chooses well. */
static int step_to(struct machine *m, int at)
{
    if (at < 0)
        return -1;
    return m->used[at]; /* EXPECT alarm out-of-bounds unit doubtful */ /* EXPECT alarm null-dereference unit doubtful */
}

int main(void)
{
    static struct machine m;
    static int out;
    int c, sum = 0;
    m.out = &out;
    while ((c = getchar()) != EOF) {
        switch (c) {
        case 'a': m.at = 1; break;
        case 'b': m.at = 2; break;
        case 'c': m.at = 15; break;
        case 'd': m.row = 1; break;
        case 'e': m.row = 3; break;
        case 'x': sum += step_checked(&m, c); break;
        case 'y': sum += step_to(&m, c - 'x'); break;
        default: sum += step(&m, c - '0'); break;
        }
    }
    return sum;
}
