/* Decisions of many shapes, and a main that calls them with the digits of its arguments. */
#include <stdlib.h>

#define BOTH(x, y) ((x) && (y))
#define CHECK(x) do { if (!(x)) failures++; } while (0)

static int failures;

static int four(int a, int b, int c, int d) { return (a && b) || (c && d); }
static int mixed(int a, int b, int c) { return a && (b || !c) ? 1 : 0; }
static int nested(int a, int b, int c) { return a && four(b || c, a, b, c); }
static int in_macros(int a, int b, int c) { return BOTH(a, BOTH(b, c)) || a == 2; }
static int constant(int a, int b) { return a && 1 && b; }

static int several(int a, int b, int c)
{
    int n = 0;
    if (a && b) n++;
    while (n < 3 && (c || b)) n++;
    for (int i = 0; i < 4 && !(a && i == 2); i++) n += i;
    CHECK(a || b);
    do n--; while (n > 0 && a);
    switch (c) {
    case 0: return n;
    case 1: return -n;
    default: return a ? b : c;
    }
}

static int long_one(int a, int b, int c, int d)
{
    return (a == 1 && b != 2 && (c == 3 || d == 4 || a == b)) || (d == 5 && (a == 0 || c == 0) && b == 1) ||
           (a && b && c && d && a == d);
}

int never(int a, int b) { return a || b; }

int main(int argc, char **argv)
{
    for (int i = 1; i + 3 < argc; i += 4) {
        int a = atoi(argv[i]), b = atoi(argv[i + 1]), c = atoi(argv[i + 2]), d = atoi(argv[i + 3]);
        failures += four(a, b, c, d) + mixed(a, b, c) + nested(a, b, c) + in_macros(a, b, c) + constant(a, b) +
                    several(a, b, c) + long_one(a, b, c, d);
    }
    return 0;
}
