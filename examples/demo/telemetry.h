/* Telemetry of a small vehicle: frames from a bus, decoded by a table of sensors, summed up per sensor. */
#ifndef TELEMETRY_H
#define TELEMETRY_H

#include <stdint.h>

enum { PAYLOAD_MAX = 8, WINDOW = 6 };

typedef enum { MODE_OFF, MODE_NORMAL, MODE_SERVICE } mode;

typedef struct {
    uint16_t id : 11;
    uint16_t remote : 1;
    uint16_t length : 4;
} frame_header;

typedef struct {
    uint8_t bytes[PAYLOAD_MAX];
} payload;

typedef struct {
    frame_header header;
    payload payload;
} frame;

/* frame.c */
int frame_from_text(const char *text, frame *out); /* "1a3#0102ff"; 0 if it is no frame */
uint8_t frame_checksum(const frame *f);
unsigned frame_sequence(const frame *f);

/* sensor.c */
typedef struct {
    uint16_t id;
    const char *name;
    int32_t (*decode)(payload p);
    int32_t factor; /* to thousandths of the unit */
} sensor;

const sensor *sensor_find(uint16_t id);
int32_t sensor_value(const frame *f);

/* calibration.c */
int gain_for_step(int step);
int linearised(int reading, int rounding);
int calibrated(int step, int reading);

/* history.c */
typedef struct sample {
    int32_t value;
    uint16_t time;
    struct sample *next;
} sample;

typedef struct {
    sample *newest;
    unsigned count;
} history;

int history_push(history *h, int32_t value, uint16_t time);
void history_discard(history *h, sample *s);
void history_forget(history *h, uint16_t before);
void history_clear(history *h);

/* statistics.c */
typedef struct {
    uint32_t count;
    int64_t sum;
    int32_t smallest, largest;
    uint16_t first_time, last_time;
} statistics;

void statistics_add(statistics *s, int32_t value, uint16_t time);
int32_t statistics_mean(const statistics *s);
uint32_t statistics_rate(const statistics *s); /* values per second */

/* settings.c */
typedef struct {
    mode mode;
    int step;
    int keep_ms;
} settings;

int settings_apply(settings *s, const char *line); /* "mode=normal"; 0 if the line is none */

#endif
