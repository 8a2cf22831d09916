/* Bit-fields: packed and not, signed, of enums and bools, across storage units, zero width, in arrays. */
/* EXPECT-FILE covered all */
#include <stdbool.h>

enum gear { PARK, REVERSE, NEUTRAL, DRIVE };

struct frame {
    unsigned id : 11;
    unsigned remote : 1;
    signed offset : 5;
    enum gear gear : 3;
    bool valid : 1;
    unsigned : 0;
    unsigned long long counter : 40;
};

struct __attribute__((packed)) straddling {
    unsigned char a : 3;
    unsigned short b : 13;
    unsigned c : 17;
};

int parameter(struct frame f)
{
    if (f.id == 0x7ff && f.remote && f.offset == -16) return 1;
    if (f.valid && f.gear == DRIVE && f.counter == 0xabcdef0123ull) return 2;
    return 0;
}

int through_pointer(const struct frame *f)
{
    if (!f) return 0;
    if (f->offset < 0 && f->id == 5) return 1;
    return 2;
}

int wraps(unsigned x)
{
    struct frame f = {0};
    f.id = x;
    f.id++;
    if (f.id == 0 && x > 0x7ff) return 1;
    return 0;
}

int straddles(struct straddling s)
{
    if (s.b == 0x1555 && s.c == 0x1aaaa && s.a == 5) return 1;
    return 0;
}

struct frame frames[3];

int in_array(unsigned i, unsigned id)
{
    i %= 3;
    frames[i].id = id;
    if (frames[2].id == 0x123 && i == 2) return 1;
    return 0;
}
