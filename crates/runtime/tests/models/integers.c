/* Conversions from text to integers: value, end and errno. */
#define _GNU_SOURCE
#include "../../c/models/models.h"
#include "check.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

int ctn_model_abs(int n);
long ctn_model_labs(long n);
long long ctn_model_llabs(long long n);
div_t ctn_model_div(int a, int b);
ldiv_t ctn_model_ldiv(long a, long b);
lldiv_t ctn_model_lldiv(long long a, long long b);

static const char *const edges[] = {
    "", " ", "+", "-", "0", "-0", "+0", "00", "0x", "0X", "0xg", "-0x", "0x0", "0x1f", "0X1Fz", "08", "010", "1_",
    "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296", "9223372036854775807",
    "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
    "18446744073709551616", "-18446744073709551615", "-18446744073709551616", "99999999999999999999999x",
    "-99999999999999999999999x", "\t\n\v\f\r 12", "- 1", "--1", "+-1", "0x7fffffffffffffff", "0x8000000000000000",
    "-0x8000000000000000", "0xffffffffffffffff", "0x10000000000000000", "zz", "ZZ", "1z", "0b1", "0b", "777777777777777777777",
    "1777777777777777777777", "2000000000000000000000", "\2001", "1\xff", "3w5e11264sgsf", "3w5e11264sgsg"};

static const int bases[] = {0, 10, 16, 8, 2, 36, 3, 7, 1, -1, 37, INT_MAX};

#define SAME_CONVERSION(name, text, base)                                                                \
    do {                                                                                                 \
        char *mine = NULL, *theirs = NULL;                                                               \
        errno = 0;                                                                                       \
        unsigned long long m = (unsigned long long)ctn_model_##name(text, &mine, base);                  \
        int mine_errno = errno;                                                                          \
        errno = 0;                                                                                       \
        unsigned long long t = (unsigned long long)name(text, &theirs, base);                            \
        SAME(m, t, text);                                                                                \
        SAME(mine_errno, errno, text);                                                                   \
        if (base == 0 || (base > 1 && base <= 36)) SAME(mine, theirs, text);                             \
        SAME((unsigned long long)ctn_model_##name(text, NULL, base), t, text);                           \
    } while (0)

static void check_text(const char *text, int base)
{
    SAME_CONVERSION(strtol, text, base);
    SAME_CONVERSION(strtoul, text, base);
    SAME_CONVERSION(strtoll, text, base);
    SAME_CONVERSION(strtoull, text, base);
    SAME(ctn_model_atoi(text), atoi(text), text);
    SAME(ctn_model_atol(text), atol(text), text);
    SAME(ctn_model_atoll(text), atoll(text), text);
}

/* The library of this machine may be older than C23: expected values are written out. */
static void check_binary_prefix(void)
{
    char *end;
    const char *text = "0b101";
    SAME(ctn_model_strtol_c23(text, &end, 0), 5, text);
    SAME(end, text + 5, text);
    SAME(ctn_model_strtol_c23(text, &end, 2), 5, text);
    SAME(ctn_model_strtol_c23(text, &end, 10), 0, text);
    SAME(end, text + 1, text);
    SAME(ctn_model_strtol_c23("-0B11", &end, 0), -3, "-0B11");
    text = "0b2";
    SAME(ctn_model_strtoull_c23(text, &end, 0), 0, text);
    SAME(end, text + 1, text);
    SAME(ctn_model_strtoul_c23("0b1111", NULL, 0), 15, "0b1111");
    SAME(ctn_model_strtoll_c23("0b1111", NULL, 16), 0xb1111, "0b1111");
}

static void check_arithmetic(void)
{
    static const long long values[] = {0, 1, -1, 7, -7, INT_MAX, -INT_MAX, LONG_MAX, -LONG_MAX};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        SAME(ctn_model_abs((int)values[i]), abs((int)values[i]), "abs");
        SAME(ctn_model_labs(values[i]), labs(values[i]), "labs");
        SAME(ctn_model_llabs(values[i]), llabs(values[i]), "llabs");
        for (long long by = -3; by <= 3; by++) {
            if (by == 0) continue;
            div_t d = ctn_model_div((int)values[i], (int)by), e = div((int)values[i], (int)by);
            ldiv_t f = ctn_model_ldiv(values[i], by), g = ldiv(values[i], by);
            lldiv_t h = ctn_model_lldiv(values[i], by), k = lldiv(values[i], by);
            CHECK(d.quot == e.quot && d.rem == e.rem, "div");
            CHECK(f.quot == g.quot && f.rem == g.rem, "ldiv");
            CHECK(h.quot == k.quot && h.rem == k.rem, "lldiv");
        }
    }
    SAME(ctn_model_abs(INT_MIN), INT_MIN, "the most negative number wraps");
}

void check_integers(void)
{
    char text[32];
    for (unsigned b = 0; b < sizeof bases / sizeof *bases; b++) {
        for (unsigned i = 0; i < sizeof edges / sizeof *edges; i++) check_text(edges[i], bases[b]);
        for (int round = 0; round < 3000; round++) {
            any_text(text, 24, below(2) ? "0123456789" : " +-0123456789abfxXzZ.\t");
            check_text(text, bases[b]);
        }
    }
    check_binary_prefix();
    check_arithmetic();
}
