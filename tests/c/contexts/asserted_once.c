/* An assertion that names nothing but members and parameters says what whoever calls has to see to, also where these are
 * pointers, which no condition depends on. */
/* EXPECT-FILE only contexts */
#include <assert.h>

struct source {
    int (*handler)(void *);
    void *data;
    int left;
};

/* Trap: a source is set once. */
void source_set(struct source *source, int (*handler)(void *), void *data)
{
    if (!source)
        return;
    assert(!source->handler); /* EXPECT alarm assertion unit doubtful */
    source->handler = handler;
    source->data = data;
}

/* Bug: what it asserts, it has set itself. */
void source_take(struct source *source, int number)
{
    if (!source)
        return;
    source->left = number - 3;
    assert(source->left > 0); /* EXPECT alarm assertion unit reported */
}
