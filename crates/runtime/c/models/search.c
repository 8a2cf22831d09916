/* Models of the string.h functions that search and split. Substring search is the direct one: each
 * comparison it makes is one that the search for inputs can turn around. */
#include "models.h"

char *ctn_model_strchrnul(const char *s, int c)
{
    while (*s != (char)c && *s != '\0') s++;
    return (char *)s;
}

char *ctn_model_strchr(const char *s, int c)
{
    for (;; s++) {
        if (*s == (char)c) return (char *)s;
        if (*s == '\0') return NULL;
    }
}

char *ctn_model_strrchr(const char *s, int c)
{
    const char *last = NULL;
    for (;; s++) {
        if (*s == (char)c) last = s;
        if (*s == '\0') return (char *)last;
    }
}

char *ctn_model_strstr(const char *s, const char *part)
{
    for (;; s++) {
        size_t i = 0;
        while (part[i] != '\0' && s[i] == part[i]) i++;
        if (part[i] == '\0') return (char *)s;
        if (s[i] == '\0') return NULL; /* what is left is shorter than the part */
    }
}

char *ctn_model_strcasestr(const char *s, const char *part)
{
    for (;; s++) {
        size_t i = 0;
        while (part[i] != '\0' && ctn_lower((byte)s[i]) == ctn_lower((byte)part[i])) i++;
        if (part[i] == '\0') return (char *)s;
        if (s[i] == '\0') return NULL;
    }
}

static int in_set(char c, const char *set)
{
    for (; *set != '\0'; set++)
        if (*set == c) return 1;
    return 0;
}

size_t ctn_model_strspn(const char *s, const char *set)
{
    size_t i = 0;
    while (s[i] != '\0' && in_set(s[i], set)) i++;
    return i;
}

size_t ctn_model_strcspn(const char *s, const char *set)
{
    size_t i = 0;
    while (s[i] != '\0' && !in_set(s[i], set)) i++;
    return i;
}

char *ctn_model_strpbrk(const char *s, const char *set)
{
    s += ctn_model_strcspn(s, set);
    return *s == '\0' ? NULL : (char *)s;
}

char *ctn_model_strtok_r(char *s, const char *set, char **rest)
{
    if (s == NULL) s = *rest;
    s += ctn_model_strspn(s, set);
    if (*s == '\0') {
        *rest = s;
        return NULL;
    }
    char *end = s + ctn_model_strcspn(s, set);
    if (*end != '\0') *end++ = '\0';
    *rest = end;
    return s;
}

char *ctn_model_strtok(char *s, const char *set)
{
    static char *rest = "";
    return ctn_model_strtok_r(s, set, &rest);
}

char *ctn_model_strsep(char **rest, const char *set)
{
    char *s = *rest;
    if (s == NULL) return NULL;
    char *end = s + ctn_model_strcspn(s, set);
    if (*end == '\0') {
        *rest = NULL;
    } else {
        *end = '\0';
        *rest = end + 1;
    }
    return s;
}

void *ctn_model_memchr(const void *p, int c, size_t n)
{
    const byte *s = p;
    for (size_t i = 0; i < n; i++)
        if (s[i] == (byte)c) return (void *)(s + i);
    return NULL;
}

void *ctn_model_memrchr(const void *p, int c, size_t n)
{
    const byte *s = p;
    while (n > 0)
        if (s[--n] == (byte)c) return (void *)(s + n);
    return NULL;
}

void *ctn_model_rawmemchr(const void *p, int c)
{
    const byte *s = p;
    while (*s != (byte)c) s++;
    return (void *)s;
}

void *ctn_model_memmem(const void *p, size_t n, const void *part, size_t part_n)
{
    const byte *s = p;
    for (size_t at = 0; part_n <= n && at <= n - part_n; at++)
        if (ctn_model_memcmp(s + at, part, part_n) == 0) return (void *)(s + at);
    return NULL;
}
