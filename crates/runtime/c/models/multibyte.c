/* Models of the conversions between bytes and wide characters, in the C locale: ASCII, one byte each, everything
 * else is an error. There is no shift state. */
#include "models.h"

#include <errno.h>
#include <stdio.h>
#include <wchar.h>

static size_t illegal(void)
{
    errno = EILSEQ;
    return (size_t)-1;
}

size_t ctn_model_mbrtowc(wchar_t *to, const char *s, size_t n, mbstate_t *state)
{
    (void)state;
    if (s == NULL) return 0;
    if (n == 0) return (size_t)-2;
    byte c = (byte)*s;
    if (c > 127) return illegal();
    if (to != NULL) *to = c;
    return c != 0;
}

size_t ctn_model_mbrlen(const char *s, size_t n, mbstate_t *state) { return ctn_model_mbrtowc(NULL, s, n, state); }

int ctn_model_mbtowc(wchar_t *to, const char *s, size_t n)
{
    if (s == NULL) return 0;
    size_t length = ctn_model_mbrtowc(to, s, n, NULL);
    return length == (size_t)-2 ? -1 : (int)length;
}

int ctn_model_mblen(const char *s, size_t n) { return ctn_model_mbtowc(NULL, s, n); }

size_t ctn_model_wcrtomb(char *to, wchar_t c, mbstate_t *state)
{
    (void)state;
    if (to == NULL) return 1;
    if ((unsigned)c > 127) return illegal();
    *to = (char)c;
    return 1;
}

int ctn_model_wctomb(char *to, wchar_t c) { return to == NULL ? 0 : (int)ctn_model_wcrtomb(to, c, NULL); }

size_t ctn_model_mbsrtowcs(wchar_t *to, const char **from, size_t n, mbstate_t *state)
{
    const char *s = *from;
    (void)state;
    for (size_t i = 0;; i++) {
        if (to != NULL && i == n) {
            *from = s + i;
            return n;
        }
        if ((byte)s[i] > 127) {
            if (to != NULL) *from = s + i;
            return illegal();
        }
        if (to != NULL) to[i] = s[i];
        if (s[i] == '\0') {
            if (to != NULL) *from = NULL;
            return i;
        }
    }
}

size_t ctn_model_wcsrtombs(char *to, const wchar_t **from, size_t n, mbstate_t *state)
{
    const wchar_t *s = *from;
    (void)state;
    for (size_t i = 0;; i++) {
        if (to != NULL && i == n) {
            *from = s + i;
            return n;
        }
        if ((unsigned)s[i] > 127) {
            if (to != NULL) *from = s + i;
            return illegal();
        }
        if (to != NULL) to[i] = (char)s[i];
        if (s[i] == 0) {
            if (to != NULL) *from = NULL;
            return i;
        }
    }
}

size_t ctn_model_mbstowcs(wchar_t *to, const char *from, size_t n) { return ctn_model_mbsrtowcs(to, &from, n, NULL); }
size_t ctn_model_wcstombs(char *to, const wchar_t *from, size_t n) { return ctn_model_wcsrtombs(to, &from, n, NULL); }
int ctn_model_mbsinit(const mbstate_t *state) { return (void)state, 1; }
wint_t ctn_model_btowc(int c) { return ctn_between(c, 0, 127) ? (wint_t)c : WEOF; }
int ctn_model_wctob(wint_t c) { return c <= 127 ? (int)c : EOF; }

/* Control characters have no width, others one column. */
int ctn_model_wcwidth(wchar_t c)
{
    if (c == 0) return 0;
    return ctn_between((int)c, 32, 126) ? 1 : -1;
}

int ctn_model_wcswidth(const wchar_t *s, size_t n)
{
    int width = 0;
    for (; n > 0 && *s != 0; n--, s++) {
        int w = ctn_model_wcwidth(*s);
        if (w < 0) return -1;
        width += w;
    }
    return width;
}
