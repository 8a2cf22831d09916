/* Sizes and lengths that go wrong before the access does. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The product wraps, the block is small, the loop is not. */
int wrapped_size(uint32_t count)
{
    if (count < 0x40000000u || count > 0x40000004u) return 0;
    int *all = malloc((size_t)(count * 4u));
    if (!all) return 0;
    all[5] = 1; /* EXPECT alarm out-of-bounds */
    free(all);
    return 1;
}

int negative_length(int n)
{
    char from[16] = "0123456789abcde", to[16];
    if (n > 16) return 0;
    memcpy(to, from, (size_t)n); /* EXPECT alarm out-of-bounds where n < 0 */
    return n > 0 ? to[0] : 0;
}

int no_room_for_the_end(int n)
{
    char *s = malloc(4);
    if (!s || n < 0 || n > 4) return 0;
    memset(s, 'a', 4);
    s[n] = '\0'; /* EXPECT alarm out-of-bounds where n = 4 */
    free(s);
    return 0;
}

int backwards(unsigned steps)
{
    char text[8] = "1234567", *p = text + 7;
    if (steps > 8) return 0;
    while (steps-- > 0) p--;
    return *p; /* EXPECT alarm out-of-bounds where steps = 8 */
}

struct header { unsigned char length; unsigned char body[8]; };

int declared_length(const struct header *h)
{
    unsigned char copy[8] = {0};
    int sum = 0;
    if (!h) return 0;
    for (int i = 0; i < h->length; i++) copy[i] = h->body[i]; /* EXPECT alarm out-of-bounds where h->length > 8 */
    for (int i = 0; i < 8; i++) sum += copy[i];
    return sum;
}

int safe_length(const struct header *h)
{
    int sum = 0;
    if (!h || h->length > 8) return 0;
    for (int i = 0; i < h->length; i++) sum += h->body[i];
    return sum;
}
