/* Arrays in an object that is too large to be looked at as a whole: their elements are read and written by index. */
/* EXPECT-FILE covered all */
/* EXPECT-FILE predicted */

struct line { unsigned char kind; short value; };
struct machine {
    unsigned char memory[8192];
    unsigned char registers[16];
    struct line lines[32];
    int state;
};

int stored(const struct machine *m, unsigned char which)
{
    if (!m || which >= 16) return -1;
    if (m->registers[which] == 77) return which == 3 ? 2 : 1;
    return 0;
}

int member(const struct machine *m, unsigned char which)
{
    if (!m || which >= 32) return -1;
    if (m->lines[which].kind == 2 && m->lines[which].value == 1234) return 1;
    return 0;
}

int written(struct machine *m, unsigned char to, unsigned char from)
{
    if (!m || to >= 16 || from >= 16) return -1;
    m->registers[to] = 9;
    if (m->registers[from] == 9 && to != from) return 1;
    if (m->registers[5] == 9 && to != 5) return 2;
    return 0;
}
