/* An index that leads nowhere whatever it is taken of is no matter of the pointer, though that was null where it was seen first. */
/* EXPECT-FILE only contexts */
/* EXPECT-FILE alarms any */

struct parser { int depth; short indents[8]; int top; };

/* Bug: before the first one. */
int outer(struct parser *p)
{
    if (p->depth > 8 || p->depth < 0)
        return 0;
    return p->indents[p->depth - 2]; /* EXPECT alarm out-of-bounds unit */
}

int deepest(struct parser *p)
{
    return p->depth > 7 ? 1 : p->depth > 4 ? 2 : 3;
}
