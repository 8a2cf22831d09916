/* Functions that are inlined in any build stand before the tested ones. What a unit makes of a function must be the same
   in the run that finds a fault and in the native run that confirms it. */
#define INLINE __attribute__((always_inline)) static inline

int sensor(int number);

INLINE int first(int x) { return x > 3; }
INLINE int second(int x) { return first(x) ? x : 0; }
INLINE int ready(int x) { return sensor(x) && !sensor(x + 1); }

int table[4];

int look_up(unsigned at)
{
    if (!ready(1)) return -1;
    if (second((int)(at & 7)) == 5)
        return table[at & 7]; /* EXPECT alarm out-of-bounds */
    return 0;
}

int harmless(unsigned at)
{
    if (second((int)(at & 1))) return 1;
    return table[at & 3];
}
