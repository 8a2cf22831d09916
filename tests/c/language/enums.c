/* Enumerations: as parameters, in structs, with gaps and negative values; _Bool. */
#include <stdbool.h>

enum state { OFF = -1, IDLE = 0, RUN = 10, FAULT = 200 };

int next(enum state s, bool start)
{
    if (s == IDLE && start) return RUN; /* EXPECT covered all */
    if (s == FAULT) return OFF;         /* EXPECT covered all */
    if (s == OFF) return IDLE;          /* EXPECT covered all */
    return s;
}

/* A bool holds 0 or 1 whatever was stored. */
int boolean(int x)
{
    bool b = x;
    if (b == 1 && x == 256) return 1; /* EXPECT covered all */
    return 0;
}
