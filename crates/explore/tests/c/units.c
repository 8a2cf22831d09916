/* Small functions with known behaviour, and their drivers written by hand. Each name in the table is one unit;
 * the Rust tests say what exploring it must find. */
#include "ctn.h"

int triangle(int a, int b, int c)
{
    if (a <= 0 || b <= 0 || c <= 0)
        return 0;
    if (a == b && b == c)
        return 3;
    if (a == b || b == c || a == c)
        return 2;
    return 1;
}

int keyword(const unsigned char *text)
{
    if (text[0] == 'm' && text[1] == 'a' && text[2] == 'g' && text[3] == 'i' && text[4] == 'c') {
        if ((text[5] ^ text[6]) == 0x5a)
            return 2;
        return 1;
    }
    return 0;
}

int opcode(unsigned op, int x)
{
    switch (op) {
    case 3: return x > 10;
    case 17: return x * x == 1764;
    case 4000000000u: return -1;
    default: return 0;
    }
}

static const int squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};

/* One too far, and only for an odd number in front. */
int square(unsigned index, unsigned odd)
{
    if (index > 8)
        return -1;
    if (odd % 2 == 0 && index == 8)
        return 64;
    return squares[index];
}

int quotient(int a, int b)
{
    if (a == 77 && b < 5 && b > -5)
        return a / b;
    return 0;
}

int count(const unsigned char *bytes, unsigned n)
{
    int found = 0;
    for (unsigned i = 0; i < n; i++)
        if (bytes[i] > 100)
            found++;
    return found == 3;
}

/* The lookup is at a symbolic index of a table. */
int lookup(unsigned char a, unsigned char b)
{
    if (squares[a & 7] == 36 && squares[b & 7] + squares[a & 7] == 61)
        return 1;
    return 0;
}

int odd_only(int x)
{
    if (x == 7)
        return 1;
    return 2;
}

/* Not more than 2^31 ways to go on, and no end. */
int endless(int x)
{
    if (x == 5)
        for (;;)
            ;
    return x > 7;
}

struct flags { unsigned kind : 3; signed level : 5; unsigned : 2; unsigned urgent : 1; };

int bits(struct flags *f)
{
    if (f->kind == 5 && f->level == -3)
        return f->urgent ? 2 : 1;
    return 0;
}

int half(double x)
{
    if (x > 1.5 && x * 2.0 == 7.0)
        return 1;
    return 0;
}

static void ctn_drive_triangle(void)
{
    int a, b, c;
    ctn_value(&a, 4, CTN_ROOT("a"));
    ctn_value(&b, 4, CTN_ROOT("b"));
    ctn_value(&c, 4, CTN_ROOT("c"));
    triangle(a, b, c);
}

static void ctn_drive_keyword(void)
{
    unsigned char text[8];
    ctn_array(text, 1, 8, CTN_ROOT("text"));
    keyword(text);
}

static void ctn_drive_opcode(void)
{
    unsigned op;
    int x;
    ctn_value(&op, 4, CTN_ROOT("op"));
    ctn_value(&x, 4, CTN_ROOT("x"));
    opcode(op, x);
}

static void ctn_drive_square(void)
{
    unsigned index, odd;
    ctn_value(&index, 4, CTN_ROOT("index"));
    ctn_value(&odd, 4, CTN_ROOT("odd"));
    square(index, odd);
}

static void ctn_drive_quotient(void)
{
    int a, b;
    ctn_value(&a, 4, CTN_ROOT("a"));
    ctn_value(&b, 4, CTN_ROOT("b"));
    quotient(a, b);
}

static void ctn_drive_count(void)
{
    unsigned char bytes[6];
    ctn_array(bytes, 1, 6, CTN_ROOT("bytes"));
    count(bytes, 6);
}

static void ctn_drive_lookup(void)
{
    unsigned char a, b;
    ctn_value(&a, 1, CTN_ROOT("a"));
    ctn_value(&b, 1, CTN_ROOT("b"));
    lookup(a, b);
}

static void ctn_drive_odd_only(void)
{
    int x;
    ctn_value(&x, 4, CTN_ROOT("x"));
    ctn_assume(x % 2 == 1);
    odd_only(x);
}

static void ctn_drive_endless(void)
{
    int x;
    ctn_value(&x, 4, CTN_ROOT("x"));
    endless(x);
}

static void ctn_drive_bits(void)
{
    struct flags f;
    ctn_value(&f, sizeof f, CTN_ROOT("f"));
    bits(&f);
}

static void ctn_drive_half(void)
{
    double x;
    ctn_value(&x, 8, CTN_ROOT("x"));
    half(x);
}

#define DRIVER(name) {#name, ctn_drive_##name}
static const ctn_driver drivers[] = {
    DRIVER(triangle), DRIVER(keyword), DRIVER(opcode),   DRIVER(square),  DRIVER(quotient), DRIVER(count),
    DRIVER(lookup),   DRIVER(odd_only), DRIVER(endless), DRIVER(bits), DRIVER(half),
};

__attribute__((constructor)) static void ctn_register(void)
{
    ctn_register_drivers(TU, drivers, sizeof drivers / sizeof *drivers);
}
