/* MAIST, figure 3: a char is stored and a bit-field of the same union is read. The branch is reached only
 * if the bit-field is a symbolic part of the byte that was written. */
/* EXPECT-FILE covered all */
struct flags {
    unsigned b0 : 1, b1 : 1, b2 : 1, b3 : 1, b4 : 1, b5 : 1, b6 : 1, b7 : 1;
};

struct signed_flags {
    signed low : 7;
    signed top : 1;
};

union register_image {
    struct flags s;
    struct signed_flags t;
    char c;
};

int highest_bit(char c)
{
    union register_image u;
    u.c = c;
    if (u.s.b7 == 1) return 1;
    return 0;
}

/* A signed field of one bit holds 0 or -1. */
int highest_bit_signed(char c)
{
    union register_image u;
    u.c = c;
    if (u.t.top == -1 && u.t.low == -64) return 1;
    return 0;
}

/* What does not fit a field is cut off on the way in. */
int cut_off(unsigned value)
{
    union register_image u = {.c = 0};
    u.s.b3 = value;
    if (value > 1 && u.s.b3 == 1) return 1;
    return 0;
}
