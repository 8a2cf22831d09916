/* Frames: from text as the bus logger writes it, checksum, sequence number. */
#include "telemetry.h"

#include <assert.h>
#include <stddef.h>

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

int frame_from_text(const char *text, frame *out)
{
    if (text == NULL || out == NULL) return 0;
    unsigned id = 0, length = 0;
    for (int i = 0; i < 3; i++, text++) {
        int digit = hex_digit(*text);
        if (digit < 0) return 0;
        id = id * 16 + (unsigned)digit;
    }
    if (id > 0x7ff || *text++ != '#') return 0;
    out->header.id = id & 0x7ff;
    out->header.remote = *text == 'R';
    if (out->header.remote) text++;
    while (length < PAYLOAD_MAX) {
        int high = hex_digit(text[0]);
        if (high < 0) break;
        int low = hex_digit(text[1]);
        if (low < 0) return 0; /* half a byte */
        out->payload.bytes[length++] = (uint8_t)(high * 16 + low);
        text += 2;
    }
    out->header.length = length & 15;
    return *text == '\0' || *text == '\n';
}

uint8_t frame_checksum(const frame *f)
{
    if (f == NULL) return 0;
    uint8_t sum = (uint8_t)f->header.id;
    for (unsigned i = 0; i < PAYLOAD_MAX; i++)
        if (i < f->header.length) sum = (uint8_t)((sum << 1 | sum >> 7) ^ f->payload.bytes[i]);
    return sum;
}

/* The last byte of a full frame carries a sequence number in its low three bits. */
unsigned frame_sequence(const frame *f)
{
    if (f == NULL || f->header.length < PAYLOAD_MAX) return 0;
    unsigned sequence = f->payload.bytes[PAYLOAD_MAX - 1] & 7;
    assert(sequence < WINDOW);
    return sequence;
}
