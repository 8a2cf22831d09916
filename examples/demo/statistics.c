/* Running statistics of a sensor. */
#include "telemetry.h"

#include <stddef.h>

void statistics_add(statistics *s, int32_t value, uint16_t time)
{
    if (s == NULL) return;
    if (s->count == 0) {
        s->first_time = time;
        s->smallest = s->largest = value;
    }
    if (value < s->smallest) s->smallest = value;
    if (value > s->largest) s->largest = value;
    s->last_time = time;
    s->sum += value;
    s->count++;
}

int32_t statistics_mean(const statistics *s)
{
    if (s == NULL || s->count == 0) return 0;
    return (int32_t)(s->sum / s->count);
}

uint32_t statistics_rate(const statistics *s)
{
    if (s == NULL || s->count < 2) return 0;
    uint16_t elapsed = (uint16_t)(s->last_time - s->first_time);
    return s->count * 1000u / elapsed;
}
