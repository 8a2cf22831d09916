/* Two programs in one directory (the other one in several_programs.with): each is linked by itself, and what ends
   the one is not part of the other. */
/* EXPECT-FILE covered all */
#include <stdlib.h>

static void stop(int code)
{
    exit(code);
}

int twice(int x)
{
    if (x == 7)
        stop(2);
    return 2 * x;
}

int main(void)
{
    return twice(3);
}
