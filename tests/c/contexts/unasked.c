/* Null for a parameter of a function that only others call: where neither it nor anybody asks for such a pointer, others
 * are told not to. */
/* EXPECT-FILE only contexts */
#include <assert.h>
struct point { int x, y; };
struct line { struct point from, to; };

/* Trap: nothing in the program asks whether there is a point. */
int across(const struct point *point) { return point->x; } /* EXPECT alarm null-dereference unit doubtful */

/* Trap: nor for such a name. */
int first(const char *word) { return word[0]; } /* EXPECT alarm null-dereference unit doubtful */

/* Bug: it asks, too late. */
int seen;
int second(const char *text)
{
    seen = text[0]; /* EXPECT alarm null-dereference unit reported */
    return text ? text[1] : 0;
}

/* Bug: one of two is asked for. */
int width(const struct line *a, const struct line *b)
{
    if (!a)
        return 0;
    return b->to.x - a->from.x; /* EXPECT alarm null-dereference unit reported */
}

/* Trap: that a call may return null says nothing about what a function is given. */
struct word { int letters; };
struct word *find_word(int number);
int longest(int number)
{
    struct word *found = find_word(number);
    if (!found)
        return 0;
    return found->letters;
}
int letters(const struct word *given) { return given->letters; } /* EXPECT alarm null-dereference unit doubtful */

/* Trap: the assertion is there to say so. */
int initial(const char *name)
{
    assert(name); /* EXPECT alarm assertion unit doubtful */
    return name[0];
}
