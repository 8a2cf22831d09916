/* Models of the wide-character functions that programs in the C locale use: classes, case and the common
 * string operations. Characters beyond ASCII belong to no class, as in that locale. */
#include "models.h"

#include <wchar.h>
#include <wctype.h>

/* Wide characters outside the byte range must not wrap into a class. */
static int narrow(wint_t c) { return c < 128 ? (int)c : 128; }

int ctn_model_iswalpha(wint_t c) { return ctn_model_isalpha(narrow(c)); }
int ctn_model_iswdigit(wint_t c) { return ctn_model_isdigit(narrow(c)); }
int ctn_model_iswalnum(wint_t c) { return ctn_model_isalnum(narrow(c)); }
int ctn_model_iswupper(wint_t c) { return ctn_model_isupper(narrow(c)); }
int ctn_model_iswlower(wint_t c) { return ctn_model_islower(narrow(c)); }
int ctn_model_iswspace(wint_t c) { return ctn_model_isspace(narrow(c)); }
int ctn_model_iswblank(wint_t c) { return ctn_model_isblank(narrow(c)); }
int ctn_model_iswcntrl(wint_t c) { return ctn_model_iscntrl(narrow(c)); }
int ctn_model_iswprint(wint_t c) { return ctn_model_isprint(narrow(c)); }
int ctn_model_iswgraph(wint_t c) { return ctn_model_isgraph(narrow(c)); }
int ctn_model_iswpunct(wint_t c) { return ctn_model_ispunct(narrow(c)); }
int ctn_model_iswxdigit(wint_t c) { return ctn_model_isxdigit(narrow(c)); }
wint_t ctn_model_towlower(wint_t c) { return c + (ctn_between((int)c, 'A', 'Z') << 5); }
wint_t ctn_model_towupper(wint_t c) { return c - (ctn_between((int)c, 'a', 'z') << 5); }

size_t ctn_model_wcslen(const wchar_t *s)
{
    size_t n = 0;
    while (s[n] != 0) n++;
    return n;
}

/* Wide characters are compared by value: a difference could overflow. */
static int order(wchar_t a, wchar_t b) { return (a > b) - (a < b); }

int ctn_model_wcscmp(const wchar_t *a, const wchar_t *b)
{
    while (*a == *b && *a != 0) a++, b++;
    return order(*a, *b);
}

int ctn_model_wcsncmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    for (; n > 0; n--, a++, b++)
        if (*a != *b || *a == 0) return order(*a, *b);
    return 0;
}

int ctn_model_wmemcmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    for (; n > 0; n--, a++, b++)
        if (*a != *b) return order(*a, *b);
    return 0;
}

wchar_t *ctn_model_wcscpy(wchar_t *to, const wchar_t *from)
{
    size_t i = 0;
    while ((to[i] = from[i]) != 0) i++;
    return to;
}

wchar_t *ctn_model_wcsncpy(wchar_t *to, const wchar_t *from, size_t n)
{
    size_t i = 0;
    for (; i < n && from[i] != 0; i++) to[i] = from[i];
    for (; i < n; i++) to[i] = 0;
    return to;
}

wchar_t *ctn_model_wcscat(wchar_t *to, const wchar_t *from)
{
    ctn_model_wcscpy(to + ctn_model_wcslen(to), from);
    return to;
}

wchar_t *ctn_model_wcschr(const wchar_t *s, wchar_t c)
{
    for (;; s++) {
        if (*s == c) return (wchar_t *)s;
        if (*s == 0) return NULL;
    }
}

wchar_t *ctn_model_wcsrchr(const wchar_t *s, wchar_t c)
{
    const wchar_t *last = NULL;
    for (;; s++) {
        if (*s == c) last = s;
        if (*s == 0) return (wchar_t *)last;
    }
}
