/* Models of the clocks. Time is an input: each look at a clock may move it on by any number of seconds,
 * a slot such as `time()`; without a value it moves on by a millisecond, so that a loop that waits for a
 * deadline ends. The clock starts at the epoch and never goes back. */
#include "../ctn.h"
#include "models.h"

#include <errno.h>
#include <sys/time.h>
#include <time.h>

enum { STEP_MICROSECONDS = 1000, SECOND = 1000000 };

static struct { long seconds, microseconds; } now;
static long processor_time;

static void look_at_clock(const char *slot)
{
    now.seconds += (long)ctn_bits(32, CTN_ROOT(slot));
    now.microseconds += STEP_MICROSECONDS;
    if (now.microseconds >= SECOND) {
        now.microseconds -= SECOND;
        now.seconds++;
    }
}

time_t ctn_model_time(time_t *t)
{
    look_at_clock("time()");
    if (t != NULL) *t = now.seconds;
    return now.seconds;
}

int ctn_model_gettimeofday(struct timeval *tv, void *zone)
{
    (void)zone;
    look_at_clock("gettimeofday()");
    if (tv != NULL) {
        tv->tv_sec = now.seconds;
        tv->tv_usec = now.microseconds;
    }
    return 0;
}

int ctn_model_clock_gettime(clockid_t which, struct timespec *ts)
{
    if (which < 0 || which > CLOCK_TAI) {
        errno = EINVAL;
        return -1;
    }
    look_at_clock("clock_gettime()");
    ts->tv_sec = now.seconds;
    ts->tv_nsec = now.microseconds * 1000;
    return 0;
}

int ctn_model_timespec_get(struct timespec *ts, int base)
{
    return base == TIME_UTC && ctn_model_clock_gettime(CLOCK_REALTIME, ts) == 0 ? base : 0;
}

clock_t ctn_model_clock(void)
{
    processor_time += STEP_MICROSECONDS + (long)ctn_bits(31, CTN_ROOT("clock()"));
    return processor_time;
}
