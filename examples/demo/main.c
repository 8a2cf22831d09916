/* Reads settings and frames from standard input, a line each, and prints what the sensors say. */
#include "telemetry.h"

#include <stdio.h>
#include <string.h>

int main(void)
{
    settings current = {MODE_NORMAL, 1, 5000};
    statistics all = {0};
    history recent = {0};
    char line[128];
    uint16_t now = 0;
    while (fgets(line, sizeof line, stdin)) {
        frame f = {0};
        line[strcspn(line, "\n")] = '\0';
        now = (uint16_t)(now + 100);
        if (strchr(line, '=')) {
            if (!settings_apply(&current, line)) fprintf(stderr, "no setting: %s\n", line);
        } else if (frame_from_text(line, &f)) {
            int32_t value = calibrated(current.step, sensor_value(&f));
            statistics_add(&all, value, now);
            history_push(&recent, value, now);
            if (now > current.keep_ms) history_forget(&recent, (uint16_t)(now - current.keep_ms));
            printf("%03x.%u %d (check %02x)\n", f.header.id, frame_sequence(&f), value, frame_checksum(&f));
        } else {
            fprintf(stderr, "no frame: %s\n", line);
        }
    }
    printf("mean %d, %u per second, %u kept\n", statistics_mean(&all), statistics_rate(&all), recent.count);
    history_clear(&recent);
    return 0;
}
