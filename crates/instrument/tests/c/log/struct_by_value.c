// a=3 b=4
#include "ctn.h"
struct large { long a, b, c; };
struct pair { float x, y; };
static long difference(struct large l) { return l.a - l.b; }
static struct pair swapped(struct pair p) { return (struct pair){p.y, p.x}; }
int main(void)
{
    struct large l = {0};
    struct pair p = {1, 2};
    ctn_value(&l.a, sizeof l.a, CTN_ROOT("a"));
    ctn_value(&p.x, sizeof p.x, CTN_ROOT("b"));
    if (difference(l) == 5)
        return 1;
    if (swapped(p).y > 1.0f)
        return 2;
    return 0;
}
