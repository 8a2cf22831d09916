/* Ends the process by every official way. */
#include <stdlib.h>
#include <unistd.h>

int hooks;
static void hook(void) { hooks++; }

int exits(int x) /* EXPECT end exited */
{
    if (x == 41) exit(7); /* EXPECT covered all */
    return 0;
}

int exits_at_once(int x) /* EXPECT end exited */
{
    if (x == 42) _exit(8); /* EXPECT covered all */
    return 0;
}

int exits_quickly(int x) /* EXPECT end exited */
{
    if (x == 43) quick_exit(9); /* EXPECT covered all */
    return 0;
}

/* What is registered must not run in the next execution. */
int registers(int x)
{
    if (x == 44 && atexit(hook) == 0) exit(0);
    return hooks;
}
