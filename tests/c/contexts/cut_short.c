/* EXPECT-FILE alarms any */
/* A bug behind pointers that a driver does not follow so far: its caller fails before it calls, which shows nothing. */
struct last {
    int divisor;
};
struct e {
    struct last *next;
};
struct d {
    struct e *next;
};
struct c {
    struct d *next;
};
struct b {
    struct c *next;
};
struct a {
    struct b *next;
};

static int quotient(int a, int b)
{
    return a / b; /* EXPECT alarm division-by-zero unit */
}

int share(struct a *list, int mode)
{
    if (!list || mode == 0)
        return quotient(1, 1);
    return quotient(mode, list->next->next->next->next->next->divisor);
}
