/* EXPECT-FILE only contexts */
/* EXPECT-FILE alarms any */
/* A pointer to a function that lay in an object of the driver's, null because the driver follows pointers no further: whoever
   calls it leaves no frame, but the functions on the way are known. */

struct codec {
    int (*length)(int c);
};

struct level4 { struct codec *codec; int n; };
struct level3 { struct level4 *next; };
struct level2 { struct level3 *next; };
struct level1 { struct level2 *next; };
struct level0 { struct level1 *next; };

static int measure(struct level4 *deep, int c)
{
    if (c < 0)
        return 0;
    return deep->codec->length(c); /* EXPECT alarm null-dereference feasible doubtful */
}

static int inner(struct level4 *deep, int c)
{
    return measure(deep, c) + 1;
}

int outer(struct level0 *top, int c)
{
    return inner(top->next->next->next->next, c);
}
