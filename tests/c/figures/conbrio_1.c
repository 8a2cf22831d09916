/* CONBRIO, figure 1: an index is checked by a callee, so with a stub in its place the access looks unsafe;
 * a negative index passes the check but no caller ever passes one. */
#include <stdlib.h>

static int is_small(int x) { return x < 5 ? 1 : 0; } /* EXPECT covered all */

static int shifted(int x) { return x + 2; }

static int odd_number(int x)
{
    int odd[5] = {1, 3, 5, 7, 9}, result;
    if (is_small(x) != 0)
        result = odd[x]; /* EXPECT alarm out-of-bounds dropped where x < 0 or x >= 5 */
    else
        result = shifted(x);
    return result;
}

static int if_positive(int x)
{
    if (x > 0) return odd_number(x); /* EXPECT covered all */
    return 0;
}

static int gated(int x, int y)
{
    if (y > 0) return if_positive(x); /* EXPECT covered all */
    return 0;
}

static int direct(int x)
{
    if (x > 0) return if_positive(x); /* EXPECT covered all */
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 3) return 0;
    int x = atoi(argv[1]), y = atoi(argv[2]);
    return x > 0 ? gated(x, y) : direct(y); /* EXPECT covered all */
}
