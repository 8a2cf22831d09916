/* What is filled is as large as the number beside it says, also where it is text. */
/* EXPECT-FILE only contexts */
#include <stdio.h>
#include <string.h>

/* Bug: one too many. */
int fill(char *dst, size_t size)
{
    if (!dst)
        return -1;
    for (size_t i = 0; i <= size; i++)
        dst[i] = 'x'; /* EXPECT alarm out-of-bounds unit reported */
    return 0;
}

/* Bug: there may be no room at all. */
size_t copy(char *dst, const char *src, size_t size)
{
    if (!dst || !src)
        return 0;
    size--;
    size_t length = strlen(src);
    if (length > size)
        length = size;
    memmove(dst, src, length); /* EXPECT alarm out-of-bounds unit reported */
    dst[length] = 0; /* EXPECT alarm out-of-bounds unit joined */
    return length;
}

/* Bug: three digits and a NUL do not fit. */
int number(char *out, int outlen, unsigned char value)
{
    if (!out || outlen < 3)
        return -1;
    return sprintf(out, "%d", value); /* EXPECT alarm out-of-bounds unit reported */
}

/* None: what is there already ends within the room for it. */
size_t append(char *dst, const char *src, size_t size)
{
    size_t at = 0;
    if (!dst || !src)
        return 0;
    while (at < size && dst[at])
        at++;
    if (at == size)
        return size;
    size_t length = strlen(src);
    if (length >= size - at)
        length = size - at - 1;
    memcpy(dst + at, src, length);
    dst[at + length] = 0;
    return at + length;
}
