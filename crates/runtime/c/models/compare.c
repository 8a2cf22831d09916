/* Models of the string.h functions that measure and compare. Comparisons return the difference of the
 * first bytes that differ, as the usual libraries do; at once where the runtime allows it (texts.c). */
#include "models.h"

size_t ctn_model_strlen(const char *s)
{
    size_t n = 0;
    while (s[n] != '\0') n++;
    return n;
}

size_t ctn_model_strnlen(const char *s, size_t n)
{
    size_t i = 0;
    while (i < n && s[i] != '\0') i++;
    return i;
}

/* A pointer that is null, or that an input makes null, is met here: the runtime asks no such question. */
static void touch(const volatile char *p)
{
    (void)*p;
}

static size_t places_of(const char *a, const char *b, size_t most, int is_text)
{
    touch(a);
    touch(b);
    return ctn_places(a, b, most, is_text);
}

/* From the last place to the first: each counts where it differs, else those behind it do. */
static int first_difference(const char *a, const char *b, size_t places, int fold)
{
    int result = 0;
    while (places-- > 0) {
        int x = (byte)a[places], y = (byte)b[places];
        if (fold) x = ctn_lower(x), y = ctn_lower(y);
        result = ctn_select(x == y, result, (int)((unsigned)x - (unsigned)y));
    }
    return result;
}

int ctn_model_strcmp(const char *a, const char *b)
{
    size_t places = places_of(a, b, SIZE_MAX, 1);
    if (places > 0) return first_difference(a, b, places, 0);
    while (*a == *b && *a != '\0') a++, b++;
    return (byte)*a - (byte)*b;
}

int ctn_model_strncmp(const char *a, const char *b, size_t n)
{
    if (n == 0) return 0;
    size_t places = places_of(a, b, n, 1);
    if (places > 0) return first_difference(a, b, places, 0);
    do {
        if (*a != *b) return (byte)*a - (byte)*b;
        if (*a == '\0') return 0;
        a++, b++;
    } while (--n > 0);
    return 0;
}

int ctn_model_strcasecmp(const char *a, const char *b)
{
    size_t places = places_of(a, b, SIZE_MAX, 1);
    if (places > 0) return first_difference(a, b, places, 1);
    while (ctn_lower((byte)*a) == ctn_lower((byte)*b) && *a != '\0') a++, b++;
    return ctn_lower((byte)*a) - ctn_lower((byte)*b);
}

int ctn_model_strncasecmp(const char *a, const char *b, size_t n)
{
    if (n == 0) return 0;
    size_t places = places_of(a, b, n, 1);
    if (places > 0) return first_difference(a, b, places, 1);
    do {
        int difference = ctn_lower((byte)*a) - ctn_lower((byte)*b);
        if (difference != 0) return difference;
        if (*a == '\0') return 0;
        a++, b++;
    } while (--n > 0);
    return 0;
}

int ctn_model_memcmp(const void *a, const void *b, size_t n)
{
    const byte *x = a, *y = b;
    if (n == 0) return 0;
    size_t places = places_of(a, b, n, 0);
    if (places > 0) return first_difference(a, b, places, 0);
    size_t i = 0;
    do
        if (x[i] != y[i]) return x[i] - y[i];
    while (++i < n);
    return 0;
}

/* In the C locale the transformed string is the string. */
size_t ctn_model_strxfrm(char *to, const char *from, size_t n)
{
    size_t i = 0;
    for (; from[i] != '\0'; i++)
        if (i < n) to[i] = from[i];
    if (i < n) to[i] = '\0';
    return i;
}
