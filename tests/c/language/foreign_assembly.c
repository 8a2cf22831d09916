/* Assembly for another processor, as embedded code has it: left out, and what it gives back is an input. */
/* EXPECT-FILE problem assembly for another machine */
static inline unsigned masked(void)
{
    unsigned mask;
    __asm__ volatile("mrs %0, primask" : "=r"(mask));
    __asm__ volatile("cpsid i" ::: "memory");
    return mask;
}

int critical(int x)
{
    unsigned mask = masked();
    if (x == 12 && mask == 1) return 1; /* EXPECT covered all */
    return 0;
}

struct pair { int low, high; };
int both(struct pair *pair)
{
    int low, high;
    if (!pair) return -1;
    __asm__("umull %0, %1, %2, %3" : "=&r"(low), "=r"(high) : "r"(pair->low), "r"(pair->high));
    if (low == 7 && high == 9) return 1; /* EXPECT covered all */
    __asm__ volatile("strd %1, %0" : "=m"(*pair) : "r"(low));
    return pair->high == 77 ? 2 : 3; /* EXPECT covered all */
}

__attribute__((naked)) void pend_interrupt(void)
{
    __asm__ volatile("mrs r0, psp\n bx lr");
}

int after(int x)
{
    pend_interrupt();
    return x > 5 ? 1 : 0; /* EXPECT covered all */
}
