/* Models of the string.h and strings.h functions that copy. Copies of a known length go to the runtime's
 * memcpy and memset; those that end at a byte's value go byte by byte, because there each byte decides. */
#include "models.h"

#include <stdlib.h>
#include <string.h>

char *ctn_model_stpcpy(char *to, const char *from)
{
    while ((*to = *from) != '\0') to++, from++;
    return to;
}

char *ctn_model_strcpy(char *to, const char *from)
{
    ctn_model_stpcpy(to, from);
    return to;
}

char *ctn_model_stpncpy(char *to, const char *from, size_t n)
{
    size_t i = 0;
    for (; i < n && from[i] != '\0'; i++) to[i] = from[i];
    char *end = to + i;
    for (; i < n; i++) to[i] = '\0';
    return end;
}

char *ctn_model_strncpy(char *to, const char *from, size_t n)
{
    ctn_model_stpncpy(to, from, n);
    return to;
}

char *ctn_model_strcat(char *to, const char *from)
{
    ctn_model_stpcpy(to + ctn_model_strlen(to), from);
    return to;
}

char *ctn_model_strncat(char *to, const char *from, size_t n)
{
    char *end = to + ctn_model_strlen(to);
    for (; n > 0 && *from != '\0'; n--) *end++ = *from++;
    *end = '\0';
    return to;
}

size_t ctn_model_strlcpy(char *to, const char *from, size_t size)
{
    size_t i = 0;
    if (size > 0) {
        for (; i + 1 < size && from[i] != '\0'; i++) to[i] = from[i];
        to[i] = '\0';
    }
    return i + ctn_model_strlen(from + i);
}

size_t ctn_model_strlcat(char *to, const char *from, size_t size)
{
    size_t length = ctn_model_strnlen(to, size);
    if (length == size) return size + ctn_model_strlen(from);
    return length + ctn_model_strlcpy(to + length, from, size - length);
}

/* Where they are called as functions: through a pointer, or in code compiled without builtins. */
void *ctn_model_memcpy(void *to, const void *from, size_t n)
{
    __builtin_memcpy(to, from, n);
    return to;
}

void *ctn_model_memmove(void *to, const void *from, size_t n)
{
    __builtin_memmove(to, from, n);
    return to;
}

void *ctn_model_memset(void *to, int value, size_t n)
{
    __builtin_memset(to, value, n);
    return to;
}

char *ctn_model_strndup(const char *s, size_t n)
{
    size_t length = ctn_model_strnlen(s, n);
    char *copy = malloc(length + 1);
    if (copy == NULL) return NULL;
    memcpy(copy, s, length);
    copy[length] = '\0';
    return copy;
}

char *ctn_model_strdup(const char *s)
{
    size_t size = ctn_model_strlen(s) + 1;
    char *copy = malloc(size);
    return copy == NULL ? NULL : memcpy(copy, s, size);
}

void *ctn_model_mempcpy(void *to, const void *from, size_t n)
{
    return (char *)memcpy(to, from, n) + n;
}

void *ctn_model_memccpy(void *to, const void *from, int stop, size_t n)
{
    byte *out = to;
    const byte *in = from;
    for (size_t i = 0; i < n; i++) {
        out[i] = in[i];
        if (in[i] == (byte)stop) return out + i + 1;
    }
    return NULL;
}

void ctn_model_bcopy(const void *from, void *to, size_t n)
{
    memmove(to, from, n);
}

void ctn_model_bzero(void *p, size_t n)
{
    memset(p, 0, n);
}
