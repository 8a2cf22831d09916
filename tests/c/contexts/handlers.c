/* EXPECT-FILE only contexts */
/* What handlers in one table take for granted of the same parameter is one remark, and so told once. */

struct state {
    int low, high, odd;
};

static int on_low(unsigned char *message, int length, struct state *state)
{
    if (!message || !state || length < 1)
        return 0;
    state->low = message[2]; /* EXPECT alarm out-of-bounds unit reported */
    return 1;
}

static int on_high(unsigned char *message, int length, struct state *state)
{
    if (!message || !state || length < 1)
        return 0;
    state->high = message[3]; /* EXPECT alarm out-of-bounds unit joined */
    return 1;
}

static int on_odd(unsigned char *message, int length, struct state *state)
{
    if (!message || !state || length < 1)
        return 0;
    state->odd = message[1]; /* EXPECT alarm out-of-bounds unit joined */
    return 1;
}

int (*const handlers[])(unsigned char *message, int length, struct state *state) = {on_low, on_high, on_odd};
