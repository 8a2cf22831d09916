/* What a program keeps between calls: globals of every kind are inputs, constants are not. */
/* EXPECT-FILE covered all */
#include <stdbool.h>
#include <stdint.h>

enum mode { OFF, ON, BROKEN };
static enum mode mode;
static bool ready;
static uint16_t history[6];
static const int limits[3] = {10, 20, 30};
struct { int a; struct { unsigned b : 3, c : 5; } nested[2]; } settings;
static int *selected;
static double level = 2.5;

int step(unsigned at)
{
    if (mode == BROKEN && ready) return 1;
    if (history[at % 6] == 500) return 2;
    if (settings.nested[1].c == 17 && settings.a < 0) return 3;
    if (selected && *selected == 9) return 4;
    if (level > 3.0) return 5;
    if (limits[at % 3] == 30) return 6;
    return 0;
}

int counter(void)
{
    static unsigned calls;
    calls++;
    if (calls == 2) return 1; /* a driver calls twice where there is a static local */
    return 0;
}

/* An array that nothing writes holds what it was initialised with. */
void remember(unsigned at, uint16_t value)
{
    history[at % 6] = value;
}
