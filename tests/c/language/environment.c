/* Environment, time and random numbers are inputs. */
/* EXPECT-FILE covered all */
#include <stdlib.h>
#include <string.h>
#include <time.h>

int verbose(void)
{
    const char *mode = getenv("MODE");
    if (!mode) return 0;
    if (strcmp(mode, "fast") == 0) return 1;
    return 2;
}

int expired(time_t deadline)
{
    if (deadline < 1000) return 0;
    if (time(NULL) > deadline) return 1;
    return 2;
}

int die(void)
{
    if (rand() % 6 == 5) return 1;
    return 0;
}
