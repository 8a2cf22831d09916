/* The sensors: which frame belongs to which, and how its bytes become a number. */
#include "telemetry.h"

#include <stddef.h>

/* What the door module sends in one byte. */
typedef union {
    uint8_t raw;
    struct {
        uint8_t open : 4; /* one bit for each door */
        uint8_t locked : 1;
        uint8_t window : 3;
    } bits;
} door_state;

static int32_t decode_temperature(payload p)
{
    return (int16_t)(p.bytes[0] | p.bytes[1] << 8);
}

static int32_t decode_pressure(payload p)
{
    return p.bytes[0] << 16 | p.bytes[1] << 8 | p.bytes[2];
}

static int32_t decode_doors(payload p)
{
    door_state state = {.raw = p.bytes[0]};
    if (state.bits.locked && state.bits.open != 0) return -1; /* locked and open: a broken switch */
    return state.bits.open + 16 * state.bits.window;
}

static const sensor sensors[] = {
    {0x120, "coolant", decode_temperature, 100},
    {0x121, "cabin", decode_temperature, 100},
    {0x240, "oil", decode_pressure, 10},
    {0x3a0, "doors", decode_doors, 1},
};

const sensor *sensor_find(uint16_t id)
{
    for (size_t i = 0; i < sizeof sensors / sizeof *sensors; i++)
        if (sensors[i].id == id) return &sensors[i];
    return NULL;
}

int32_t sensor_value(const frame *f)
{
    if (f == NULL || f->header.remote) return 0;
    const sensor *s = sensor_find(f->header.id);
    return s->decode(f->payload) * s->factor;
}
