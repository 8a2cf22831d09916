/* Wide characters in the C locale: classes over ASCII and beyond, and the string functions. */
#define _GNU_SOURCE
#include "../../c/models/models.h"
#include "check.h"

#include <wchar.h>
#include <wctype.h>

#define EACH_CLASS(X) X(alpha) X(digit) X(alnum) X(upper) X(lower) X(space) X(blank) X(cntrl) X(print) X(graph) X(punct) X(xdigit)
#define DECLARE(name) int ctn_model_isw##name(wint_t c);
EACH_CLASS(DECLARE)
wint_t ctn_model_towlower(wint_t c);
wint_t ctn_model_towupper(wint_t c);
size_t ctn_model_wcslen(const wchar_t *s);
int ctn_model_wcscmp(const wchar_t *a, const wchar_t *b);
int ctn_model_wcsncmp(const wchar_t *a, const wchar_t *b, size_t n);
int ctn_model_wmemcmp(const wchar_t *a, const wchar_t *b, size_t n);
wchar_t *ctn_model_wcscpy(wchar_t *to, const wchar_t *from);
wchar_t *ctn_model_wcsncpy(wchar_t *to, const wchar_t *from, size_t n);
wchar_t *ctn_model_wcscat(wchar_t *to, const wchar_t *from);
wchar_t *ctn_model_wcschr(const wchar_t *s, wchar_t c);
wchar_t *ctn_model_wcsrchr(const wchar_t *s, wchar_t c);

static void any_wide(wchar_t *to)
{
    unsigned n = below(8);
    for (unsigned i = 0; i < n; i++) to[i] = below(5) ? (wchar_t)('a' + below(3)) : (wchar_t)any() | 1;
    to[n] = 0;
}

void check_wide(void)
{
    for (wint_t c = 0; c < 0x300; c++) {
#define COMPARE(name) SAME(!ctn_model_isw##name(c), !isw##name(c), "isw" #name);
        EACH_CLASS(COMPARE)
        SAME(ctn_model_towlower(c), towlower(c), "towlower");
        SAME(ctn_model_towupper(c), towupper(c), "towupper");
    }
    SAME(!ctn_model_iswalpha(WEOF), !iswalpha(WEOF), "WEOF");
    SAME(ctn_model_towupper(WEOF), towupper(WEOF), "WEOF");
    for (int round = 0; round < 5000; round++) {
        wchar_t a[8], b[8], mine[20], theirs[20];
        any_wide(a);
        any_wide(b);
        size_t n = below(9), shorter = wcslen(a) < wcslen(b) ? wcslen(a) : wcslen(b);
        SAME(ctn_model_wcslen(a), wcslen(a), "wcslen");
        SAME(sign(ctn_model_wcscmp(a, b)), sign(wcscmp(a, b)), "wcscmp");
        SAME(sign(ctn_model_wcsncmp(a, b, n)), sign(wcsncmp(a, b, n)), "wcsncmp");
        SAME(sign(ctn_model_wmemcmp(a, b, shorter)), sign(wmemcmp(a, b, shorter)), "wmemcmp");
        SAME(ctn_model_wcschr(a, b[0]), wcschr(a, b[0]), "wcschr");
        SAME(ctn_model_wcsrchr(a, b[0]), wcsrchr(a, b[0]), "wcsrchr");
        CHECK(ctn_model_wcscpy(mine, a) == mine && wcscmp(mine, wcscpy(theirs, a)) == 0, "wcscpy");
        CHECK(ctn_model_wcscat(mine, b) == mine && wcscmp(mine, wcscat(theirs, b)) == 0, "wcscat");
        CHECK(wmemcmp(ctn_model_wcsncpy(mine, a, n), wcsncpy(theirs, a, n), n) == 0, "wcsncpy");
    }
}
