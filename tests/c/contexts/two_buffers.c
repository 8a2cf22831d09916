/* `begin` and `end` are two pieces of memory where each of them is given back; elsewhere they are one, and the second one
 * ends it. */
/* EXPECT-FILE only contexts */
#include <stdlib.h>

struct regions {
    int allocated;
    int *begin;
    int *end;
};

void regions_free(struct regions *regions)
{
    if (!regions || regions->allocated <= 0)
        return;
    free(regions->begin);
    free(regions->end);
    regions->allocated = 0;
}

struct cursor {
    const char *start;
    const char *limit;
};

/* Ends where its limit is. */
int cursor_sum(const struct cursor *cursor)
{
    const char *at;
    int sum = 0;
    if (!cursor || !cursor->start || !cursor->limit)
        return 0;
    for (at = cursor->start; at != cursor->limit; at++)
        sum += *at;
    return sum;
}
