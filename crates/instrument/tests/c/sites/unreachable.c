/* Sides that nothing leads to, and others that look like them: the test names the lines and the sides. */
int (*volatile asks)(int *);
void (*volatile stops)(void);

int never(const int *p, unsigned char small, int n)
{
    int *other = 0;
    if (p == 0)
        return -1;
    if (small < 0) /* never true */
        return 1;
    if (other) /* never true */
        n++;
    if (asks(&n) && p != 0) /* `p` is never false */
        return n;
    switch (small & 1) { /* cases 0 and 1 only */
    case 0: return 2;
    case 1: return 3;
    case 5: return 4;
    default: return 5;
    }
}

int maybe(volatile int *flag, int n)
{
    if (*flag)
        n = 4;
    if (n == 4 && *flag == 0)
        return 1;
    if (n < 0)
        stops();
    return n + 1 < n ? 2 : 3; /* true only if it overflows, which is undefined */
}

struct address { int of, kind; };
struct peer { struct address local, remote; };

int set(struct peer *peer, char *text)
{
    peer->local.kind = 1;
    if (&peer->remote) /* never false: a member is somewhere */
        peer->remote.kind = 2;
    if (!peer) /* never true: it was written to */
        return 1;
    return text == 0 ? 2 : 3;
}
