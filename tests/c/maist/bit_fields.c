/* Bit-fields of every kind, each with a branch that only an exact treatment reaches. */
/* EXPECT-FILE covered all */
#include <stdint.h>

struct plain { unsigned a : 3; signed b : 5; unsigned : 4; unsigned c : 20; };
struct crossing { uint32_t low : 20; uint32_t high : 20; uint64_t wide : 45; };
struct __attribute__((packed)) packed { uint8_t head : 5; uint16_t middle : 12; uint32_t tail : 23; };
struct zero { unsigned a : 5; unsigned : 0; unsigned b : 5; };
union view { struct plain fields; uint32_t word; };
struct outer { struct { unsigned x : 2; signed y : 2; } inner[2]; union view view; };

int in_struct(struct plain p) { return p.a == 6 && p.b == -16 && p.c == 0xabcde; }
int across_units(const struct crossing *c)
{
    if (!c) return 0;
    return c->low == 0xfffff && c->high == 0x80001 && c->wide == 0x123456789abcull % (1ull << 45);
}
int in_packed(struct packed p) { return p.head == 17 && p.middle == 0xabc && p.tail == 0x7fffff; }
int after_zero_width(struct zero z) { return z.a == 31 && z.b == 30; }
int through_union(uint32_t word)
{
    union view view;
    view.word = word;
    return view.fields.a == 5 && view.fields.b == -1 && view.fields.c == 3;
}
int nested(struct outer o, unsigned i)
{
    i &= 1;
    return o.inner[i].y == -2 && o.inner[1].x == 3 && o.view.fields.b == 9;
}
int written(unsigned value)
{
    struct plain p = {0};
    p.a = value;
    p.b = value >> 3;
    return p.a == 7 && p.b == -15 && value > 1000;
}
