/* Models of the string.h functions that measure and compare. Comparisons return the difference of the
 * first bytes that differ, as the usual libraries do. */
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

int ctn_model_strcmp(const char *a, const char *b)
{
    while (*a == *b && *a != '\0') a++, b++;
    return (byte)*a - (byte)*b;
}

int ctn_model_strncmp(const char *a, const char *b, size_t n)
{
    for (; n > 0; n--, a++, b++) {
        if (*a != *b) return (byte)*a - (byte)*b;
        if (*a == '\0') return 0;
    }
    return 0;
}

int ctn_model_strcasecmp(const char *a, const char *b)
{
    while (ctn_lower((byte)*a) == ctn_lower((byte)*b) && *a != '\0') a++, b++;
    return ctn_lower((byte)*a) - ctn_lower((byte)*b);
}

int ctn_model_strncasecmp(const char *a, const char *b, size_t n)
{
    for (; n > 0; n--, a++, b++) {
        int difference = ctn_lower((byte)*a) - ctn_lower((byte)*b);
        if (difference != 0) return difference;
        if (*a == '\0') return 0;
    }
    return 0;
}

int ctn_model_memcmp(const void *a, const void *b, size_t n)
{
    const byte *x = a, *y = b;
    for (size_t i = 0; i < n; i++)
        if (x[i] != y[i]) return x[i] - y[i];
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
