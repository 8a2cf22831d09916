/* Inline assembly: the operands are concretised and counted; the rest of the function is explored. */
int with_assembly(int x)
{
    int y = x;
#if defined(__x86_64__)
    __asm__("addl $1, %0" : "+r"(y));
#else
    y++;
#endif
    if (x == 12) return y; /* EXPECT covered all */
    return 0;
}

void barrier(int *p)
{
    if (!p) return;
    *p = 1;
    __asm__ volatile("" ::: "memory");
    *p = 2;
}
