/* Conversions from text to floating point: every bit of the value, and the end. */
#include "../../c/models/models.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

static const char *const edges[] = {
    "", ".", "-", "+.", "0", "-0", "0.", ".5", "-.5e1", "1e", "1e+", "1e-", "1e+x", "1.5.2", "inf", "-INF", "infinit",
    "InFiNiTy!", "nan", "-NaN", "nan(12_ab)", "nan(1-)", "nan(", "0x", "0x.", "0xp1", "0x.8", "0x1p", "0x1p+", "0x1.8p3",
    "-0X1P-3", "0x1.fffffffffffff8p0", "1e22", "1e23", "1e-22", "1e-23", "9007199254740992", "9007199254740993",
    "9007199254740993e22", "8.5e-10", "123456789012345678901234567890", "1e308", "1e309", "-1e309", "1e-323", "1e-324",
    "1e-400", "1e99999999999999999999", "1e-99999999999999999999", "0e99999999999", "  \t\n 2.25abc", "16777216",
    "16777217", "16777219e-10", "0.1", "0.30000000000000004", "3.4028235e38", "3.5e38", "1.17549435e-38", "1e10", "1e11",
    "00000000000000000000000000001", "0.00000000000000000000000000001", "1,5", "1 5", "18446744073709551616",
    "1844674407370955161", "1844674407370955160.5"};

static void check_text(const char *text)
{
    char *mine = NULL, *theirs = NULL;
    double d = ctn_model_strtod(text, &mine), e = strtod(text, &theirs);
    CHECK(memcmp(&d, &e, sizeof d) == 0, text);
    SAME(mine, theirs, text);
    float f = ctn_model_strtof(text, &mine), g = strtof(text, &theirs);
    CHECK(memcmp(&f, &g, sizeof f) == 0, text);
    SAME(mine, theirs, text);
    d = ctn_model_atof(text);
    CHECK(memcmp(&d, &e, sizeof d) == 0, text);
}

void check_reals(void)
{
    char text[40];
    for (unsigned i = 0; i < sizeof edges / sizeof *edges; i++) check_text(edges[i]);
    for (int round = 0; round < 60000; round++) {
        if (round % 3 == 0) {
            any_text(text, 12, "0123456789.eE+-xXpPaAfFnNiI() ");
        } else {
            any_text(text, 20, "0123456789");
            size_t length = strlen(text);
            if (length > 0 && below(2)) text[below((unsigned)length)] = '.';
            if (below(2)) snprintf(text + length, sizeof text - length, "e%d", (int)below(60) - 30);
        }
        check_text(text);
    }
}
