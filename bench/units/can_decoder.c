/* Decodes one bus frame by a table of signals; bit-fields and function pointers as in control units. */
struct frame {
    unsigned id : 11;
    unsigned remote : 1;
    unsigned length : 4;
    unsigned char data[8];
};

struct signal {
    unsigned short id;
    unsigned char start, bits, is_signed;
    int (*limit)(int);
};

static int percent(int value) { return value < 0 ? 0 : value > 100 ? 100 : value; }
static int angle(int value) { return value > 1800 ? value - 3600 : value; }
static int any(int value) { return value; }

static const struct signal signals[] = {
    {0x0c1, 0, 8, 0, percent}, {0x0c1, 8, 16, 1, any}, {0x1a0, 4, 12, 0, angle},
    {0x1a0, 16, 16, 1, any},   {0x3e9, 0, 3, 0, percent}, {0x3e9, 24, 24, 1, angle},
};

static unsigned extract(const struct frame *frame, const struct signal *signal)
{
    unsigned value = 0;
    for (int i = 0; i < signal->bits; i++) {
        int bit = signal->start + i;
        if (bit / 8 >= (int)frame->length) break;
        value |= (unsigned)(frame->data[bit / 8] >> bit % 8 & 1) << i;
    }
    return value;
}

int can_decoder(struct frame frame)
{
    int sum = 0;
    if (frame.remote) return -1;
    if (frame.length > 8) return -2;
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) {
        const struct signal *signal = &signals[i];
        if (signal->id != frame.id) continue;
        unsigned raw = extract(&frame, signal);
        int value = (int)raw;
        if (signal->is_signed && raw >> (signal->bits - 1)) value = (int)(raw | ~0u << signal->bits);
        if (signal->limit(value) > 50) sum++;
    }
    return sum;
}
