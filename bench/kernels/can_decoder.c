/* Decodes bus frames by a table of signals (start bit, length, order of bytes, sign, scale) and packs them
 * again; bit-fields and function pointers as in control units. */
#include "kernel.h"

#include <string.h>

struct frame {
    unsigned id : 11;
    unsigned remote : 1;
    unsigned length : 4;
    uint8_t data[8];
};

struct signal {
    uint16_t id;
    uint8_t start, bits;
    unsigned motorola : 1, is_signed : 1;
    int scale;
    int (*limit)(int);
};

static int limit_percent(int v) { return v < 0 ? 0 : v > 100 ? 100 : v; }
static int limit_none(int v) { return v; }
static int limit_angle(int v) { return v > 1800 ? v - 3600 : v; }

static const struct signal table[] = {
    {0x0c1, 0, 8, 0, 0, 1, limit_percent},   {0x0c1, 8, 16, 1, 1, 2, limit_none},
    {0x1a0, 4, 12, 0, 0, 1, limit_angle},    {0x1a0, 16, 16, 0, 1, 1, limit_none},
    {0x3e9, 0, 3, 0, 0, 10, limit_percent},  {0x3e9, 3, 13, 0, 0, 1, limit_none},
    {0x3e9, 24, 24, 1, 1, 1, limit_angle},   {0x7df, 0, 32, 0, 1, 1, limit_none},
};

static uint32_t extract(const struct frame *f, const struct signal *s)
{
    uint32_t value = 0;
    for (int i = 0; i < s->bits; i++) {
        int bit = s->start + i, byte = bit / 8;
        if (s->motorola) byte = s->start / 8 + (s->bits - 1) / 8 - (byte - s->start / 8);
        if (byte >= f->length) break;
        value |= (uint32_t)(f->data[byte] >> (bit % 8) & 1) << i;
    }
    return value;
}

static int physical(uint32_t raw, const struct signal *s)
{
    int value = (int)raw;
    if (s->is_signed && s->bits < 32 && raw >> (s->bits - 1)) value = (int)(raw | ~0u << s->bits);
    return s->limit((int)((unsigned)value * (unsigned)s->scale));
}

static uint64_t decode(const struct frame *f)
{
    uint64_t sum = 0;
    if (f->remote) return f->id;
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].id == f->id) sum = kernel_mix(sum, (uint64_t)physical(extract(f, &table[i]), &table[i]));
    return sum;
}

int main(int argc, char **argv)
{
    static const uint16_t ids[] = {0x0c1, 0x1a0, 0x3e9, 0x7df, 0x100};
    uint64_t sum = 0;
    for (unsigned n = kernel_repeats(argc, argv, 1500000); n > 0; n--) {
        struct frame f;
        memset(&f, 0, sizeof f);
        uint32_t r = kernel_random();
        f.id = ids[r % 5];
        f.remote = r >> 8 & 1 & r >> 9 & 1;
        f.length = r >> 10 & 7;
        f.length++;
        for (int i = 0; i < 8; i++) f.data[i] = (uint8_t)kernel_random();
        sum = kernel_mix(sum, decode(&f));
    }
    return kernel_done("can_decoder", sum);
}
