/* longjmp out of the function under test, and inside it. */
#include <setjmp.h>

jmp_buf outside;

void jumps_out(int x) /* EXPECT end long-jump */
{
    if (x == 11) longjmp(outside, 1); /* EXPECT covered all */
}

int jumps_inside(int x)
{
    jmp_buf here;
    volatile int steps = 0;
    int code = setjmp(here);
    if (code == 0) { /* EXPECT covered all */
        steps = 1;
        if (x > 10) longjmp(here, 3);
        return steps;
    }
    return code + steps;
}
