/* EXPECT-FILE alarms any */
/* A bug further down a list than a driver makes one: its caller fails before it calls, which shows nothing. */
struct node {
    struct node *next;
    int divisor;
};

static int quotient(int a, int b)
{
    return a / b; /* EXPECT alarm division-by-zero unit */
}

int share(struct node *list, int mode)
{
    if (!list || mode == 0)
        return quotient(1, 1);
    return quotient(mode, list->next->next->next->next->next->divisor);
}
