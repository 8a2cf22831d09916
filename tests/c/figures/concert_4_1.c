/* CONCERT, figure 4.1: one index is bounded by the only caller, the other by a callee that halves it in
 * place. Both accesses look unsafe to a unit test and neither is. */
#include <stdlib.h>

static void halve(int *p) { *p = *p / 2; } /* EXPECT alarm null-dereference dropped */

static int shifted(int x) { return x + 2; }

static int chained(int x, int y)
{
    int odd[5] = {1, 3, 5, 7, 9};
    int n;
    int result;

    n = odd[x]; /* EXPECT alarm out-of-bounds dropped where x < 0 or x >= 5 */
    halve(&n);
    if ((y % 2) != 0) { /* EXPECT covered all */
        result = odd[n]; /* EXPECT alarm out-of-bounds dropped with stubs */
    } else {
        result = shifted(n);
    }
    return result;
}

static int if_index(int x, int y)
{
    if (0 <= x && x < 5) return chained(x, y); /* EXPECT covered all */
    return 0;
}

static int difference(int x, int y) { return x - y; }

int main(int argc, char **argv)
{
    if (argc < 4) return 0;
    int x = atoi(argv[1]), y = atoi(argv[2]), z = atoi(argv[3]);
    return x > 0 ? if_index(y, z) : difference(y, z);
}
