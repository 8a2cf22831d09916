/* Calibration tables. Every access here is within bounds, for reasons that stand in other functions. */
#include "telemetry.h"

static int is_table_step(int step)
{
    return step < 5 ? 1 : 0;
}

static int extrapolated(int step)
{
    return step / 2 + 9;
}

static int gain_at(int step)
{
    static const int gains[5] = {1, 3, 5, 7, 9};
    if (is_table_step(step) != 0) return gains[step];
    return extrapolated(step);
}

int gain_for_step(int step)
{
    if (step > 0) return gain_at(step);
    return 1;
}

static void halve(int *value)
{
    if (value) *value = *value / 2;
}

static int corrected(int zone, int rounding)
{
    int zones[5] = {1, 3, 5, 7, 9};
    int at = zones[zone];
    halve(&at);
    if (rounding % 2 != 0) return zones[at];
    return at + 2;
}

int linearised(int reading, int rounding)
{
    int zone = reading / 1000;
    if (reading >= 0 && zone < 5) return corrected(zone, rounding);
    return reading;
}

int calibrated(int step, int reading)
{
    int gain = gain_for_step(step);
    return gain > 3 ? linearised(reading, step) : linearised(reading, gain);
}
