/* Multibyte characters, names of files and the simple functions of math.h, against the C library's. */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <libgen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

size_t ctn_model_mbrtowc(wchar_t *to, const char *s, size_t n, mbstate_t *state);
int ctn_model_mbtowc(wchar_t *to, const char *s, size_t n);
size_t ctn_model_wcrtomb(char *to, wchar_t c, mbstate_t *state);
size_t ctn_model_mbsrtowcs(wchar_t *to, const char **from, size_t n, mbstate_t *state);
size_t ctn_model_wcsrtombs(char *to, const wchar_t **from, size_t n, mbstate_t *state);
wint_t ctn_model_btowc(int c);
int ctn_model_wctob(wint_t c);
int ctn_model_wcwidth(wchar_t c);
int ctn_model_wcswidth(const wchar_t *s, size_t n);
char *ctn_model_xpg_basename(char *path);
char *ctn_model_dirname(char *path);
double ctn_model_sqrt(double x);
double ctn_model_fabs(double x);
double ctn_model_floor(double x);
double ctn_model_ceil(double x);
double ctn_model_trunc(double x);
double ctn_model_rint(double x);
double ctn_model_round(double x);
double ctn_model_copysign(double x, double y);
double ctn_model_modf(double x, double *whole);
long ctn_model_lround(double x);
long ctn_model_lrint(double x);

static void check_multibyte(void)
{
    for (int c = -1; c < 300; c++) {
        char text[] = {(char)c, '\0'}, a[8] = "", b[8] = "";
        wchar_t model = 7, real = 7;
        mbstate_t state = {0};
        SAME(ctn_model_mbrtowc(&model, text, 1, &state), mbrtowc(&real, text, 1, NULL), text);
        SAME(model, real, text);
        SAME(ctn_model_mbtowc(&model, text, 1), mbtowc(&real, text, 1), text);
        SAME(ctn_model_wcrtomb(a, c, NULL), wcrtomb(b, c, NULL), text);
        SAME(memcmp(a, b, sizeof a), 0, text);
        SAME(ctn_model_btowc(c), btowc(c), text);
        SAME(ctn_model_wctob((wint_t)c), wctob((wint_t)c), text);
        SAME(ctn_model_wcwidth(c), wcwidth(c), text);
    }
    for (unsigned round = 0; round < 2000; round++) {
        char text[16], a[16] = "", b[16] = "";
        any_text(text, 10, below(3) ? "abc\t" : "ab\xc3");
        const char *from = text, *other = text;
        wchar_t model[16] = {0}, real[16] = {0};
        size_t n = below(14);
        SAME(ctn_model_mbsrtowcs(model, &from, n, NULL), mbsrtowcs(real, &other, n, NULL), text);
        SAME(memcmp(model, real, sizeof model), 0, text);
        SAME(from, other, text);
        const wchar_t *wide = model, *other_wide = model;
        model[15] = 0;
        SAME(ctn_model_wcsrtombs(a, &wide, n, NULL), wcsrtombs(b, &other_wide, n, NULL), text);
        SAME(memcmp(a, b, sizeof a), 0, text);
        SAME(wide, other_wide, text);
        SAME(ctn_model_wcswidth(model, n), wcswidth(model, n), text);
    }
}

static void check_paths(void)
{
    for (unsigned round = 0; round < 4000; round++) {
        char given[16], a[16], b[16];
        any_text(given, 8, "/a.b");
        strcpy(a, given), strcpy(b, given);
        SAME(strcmp(ctn_model_xpg_basename(a), basename(b)), 0, given);
        strcpy(a, given), strcpy(b, given);
        SAME(strcmp(ctn_model_dirname(a), dirname(b)), 0, given);
    }
}

static int same_real(double a, double b) { return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)); }

static void check_math(void)
{
    for (unsigned turn = 0; turn < 20000; turn++) {
        uint64_t bits = any();
        double x, y, whole = 0, other = 0;
        memcpy(&x, &bits, sizeof x);
        if (turn % 2) x = (double)(int64_t)(bits % 2000) / 8 - 100;
        bits = any();
        memcpy(&y, &bits, sizeof y);
        char given[40];
        snprintf(given, sizeof given, "%a", x);
        CHECK(same_real(ctn_model_sqrt(x), sqrt(x)), given);
        CHECK(same_real(ctn_model_fabs(x), fabs(x)), given);
        CHECK(same_real(ctn_model_floor(x), floor(x)), given);
        CHECK(same_real(ctn_model_ceil(x), ceil(x)), given);
        CHECK(same_real(ctn_model_trunc(x), trunc(x)), given);
        CHECK(same_real(ctn_model_rint(x), rint(x)), given);
        CHECK(same_real(ctn_model_round(x), round(x)), given);
        CHECK(same_real(ctn_model_copysign(x, y), copysign(x, y)), given);
        CHECK(same_real(ctn_model_modf(x, &whole), modf(x, &other)) && same_real(whole, other), given);
        if (fabs(x) < 1e15) {
            SAME(ctn_model_lround(x), lround(x), given);
            SAME(ctn_model_lrint(x), lrint(x), given);
        }
    }
    double whole;
    CHECK(same_real(ctn_model_modf(-INFINITY, &whole), -0.0) && whole == -INFINITY, "modf of infinity");
}

void check_others(void)
{
    check_multibyte();
    check_paths();
    check_math();
}
