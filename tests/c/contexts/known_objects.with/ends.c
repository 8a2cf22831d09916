#include "link.h"

static int fill_short(struct link *link, char *to) { if (link && to) to[0] = (char)link->kind; return 1; }
static int fill_long(struct link *link, char *to) { if (link && to) to[0] = to[1] = (char)link->kind; return 2; }

static const struct operations short_end = {2, fill_short};
const struct operations long_end = {6, fill_long};

void choose(struct link *link, int is_long, struct operations *other)
{
    if (!link) return;
    link->operations = is_long ? &long_end : &short_end;
    link->changing = other;
}
