/* That a function compares a variable of the line says something where the variable has a part in the failure, and nothing
 * where it only gets the result, or is written. */
/* EXPECT-FILE only contexts */

struct wave { int rate; int bits; int samples[4]; unsigned at; };

/* Trap: `open_wave` sets the rate; that the quotient is compared says nothing of it. */
int long_step(struct wave *w, int n)
{
    if (!w)
        return 0;
    int step = n / w->rate; /* EXPECT alarm division-by-zero unit doubtful */
    return step > 100;
}

/* The same where the divisor is asked for. */
int limited_step(struct wave *w, int n)
{
    if (!w || w->bits > 32)
        return 0;
    return n / w->bits; /* EXPECT alarm division-by-zero unit reported */
}

/* Trap: as the first one, for an index. */
int keep(struct wave *w, int value)
{
    if (!w || value < 0)
        return 0;
    w->samples[w->at] = value; /* EXPECT alarm out-of-bounds unit doubtful */
    return 1;
}

void open_wave(struct wave *w, int rate, int bits)
{
    if (!w)
        return;
    w->rate = rate > 0 ? rate : 1;
    w->bits = bits > 0 ? bits : 1;
    w->at = 0;
}

/* As complex as any. */
int count(int c) { return c == 'a' ? 1 : c == 'b' ? 2 : c == 'c' ? 3 : 0; }
