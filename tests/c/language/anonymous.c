/* Anonymous structs and unions as members; one word seen in three ways. */
/* EXPECT-FILE covered all */
struct word {
    int tag;
    union {
        struct { unsigned char low, middle_low, middle_high, high; };
        struct { unsigned short first, second; };
        unsigned all;
        float real;
    };
};

int views(struct word w)
{
    if (w.tag == 1 && w.high == 0x12 && w.first == 0x3456) {
        if (w.all == 0x12783456) return 1;
        return 2;
    }
    if (w.tag == 2 && w.real == 1.5f) return 3;
    return 0;
}

int unnamed_type(int x)
{
    struct { int a, b; } pair = {x, x * 2};
    enum { LIMIT = 40 };
    if (pair.a + pair.b == LIMIT + 2) return 1;
    return 0;
}
