/* Atomic operations, by C11's header and by the compiler's builtins: each leaves what it computed in memory. */
/* EXPECT-FILE covered all */
#include <stdatomic.h>

static atomic_int counter;
static _Atomic unsigned long flags;
static atomic_flag lock = ATOMIC_FLAG_INIT;

int adds(int x)
{
    atomic_store(&counter, x);
    int before = atomic_fetch_add(&counter, 7);
    if (before == 35) return 1;
    if (atomic_load(&counter) == 17) return 2;
    return 0;
}

int bits(unsigned long x)
{
    flags = x;
    flags &= 0xff00;
    flags |= 3;
    flags ^= 0x100;
    if (flags == 0x1203) return 1;
    return 0;
}

int nand(unsigned x)
{
    unsigned value = x;
    __atomic_fetch_nand(&value, 0xffff0000u, __ATOMIC_SEQ_CST);
    if (value == 0xa5a5ffffu) return 1;
    return 0;
}

int extremes(int x, unsigned y)
{
    int low = 10;
    unsigned high = 100;
    __atomic_fetch_min(&low, x, __ATOMIC_SEQ_CST);
    __atomic_fetch_max(&high, y, __ATOMIC_SEQ_CST);
    if (low == -77) return 1;
    if (high == 1234567) return 2;
    return 0;
}

int exchanges(int x, int y)
{
    int value = x, expected = 40;
    if (__atomic_exchange_n(&value, y, __ATOMIC_ACQ_REL) == 41) return 1;
    if (__atomic_compare_exchange_n(&value, &expected, 5, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) return 2;
    if (expected == 42) return 4;
    return 0;
}

int locked(int x)
{
    if (x == 9) {
        atomic_flag_clear(&lock);
        if (atomic_flag_test_and_set(&lock)) return 1; /* EXPECT covered false */
        return 2;
    }
    return __sync_val_compare_and_swap(&x, 12, 13) == 12;
}

double added(double x)
{
    _Atomic double sum = 0.5;
    sum += x;
    if (sum == 4.75) return 1;
    return 0;
}
