/* C11: _Generic, _Static_assert, _Alignas, atomics. */
/* EXPECT-FILE covered all */
#include <stdatomic.h>

#define KIND(x) _Generic((x), char: 1, int: 2, double: 3, char *: 4, default: 5)
_Static_assert(sizeof(long) >= 4, "long is too small");

int kinds(int x)
{
    char c = (char)x;
    double d = x;
    if (x == KIND(c) + KIND(d) + KIND(x)) return 1;
    return 0;
}

int aligned(unsigned char x)
{
    _Alignas(32) unsigned char block[32] = {0};
    block[31] = x;
    if (block[31] == 200) return 1;
    return 0;
}

static atomic_int counter;

int atomics(int x)
{
    atomic_store(&counter, x);
    int before = atomic_fetch_add(&counter, 5);
    int expected = 47;
    if (atomic_compare_exchange_strong(&counter, &expected, 1)) return before;
    return 0;
}
