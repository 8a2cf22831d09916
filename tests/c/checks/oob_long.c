/* Overruns that take a buffer longer than a handful of characters, or a count far beyond what the next branch needs. */
#include <string.h>

int copies_a_word(const char *text)
{
    char word[16];
    const char *end = text;
    if (!text)
        return 0;
    while (*end && *end != ' ')
        end++;
    memcpy(word, text, (size_t)(end - text)); /* EXPECT alarm out-of-bounds */
    return word[0];
}

int copies_a_short_word(const char *text)
{
    char word[16];
    const char *end = text;
    if (!text)
        return 0;
    while (*end && *end != ' ')
        end++;
    if (end - text >= (long)sizeof word)
        return -1;
    memcpy(word, text, (size_t)(end - text));
    word[end - text] = 0;
    return word[0];
}

int takes_a_name(const unsigned char *packet, int length)
{
    char name[64];
    int size;
    if (!packet || length < 4 || packet[0] != 7)
        return 0;
    size = packet[1];
    if (size >= length + (int)sizeof name) /* the wrong sum */
        size = (int)sizeof name - 1;
    if (2 + size > length)
        return -1;
    memcpy(name, packet + 2, (size_t)size); /* EXPECT alarm out-of-bounds */
    return name[0];
}

unsigned leaves(const unsigned char *lengths, int count)
{
    unsigned available[32];
    int i, first;
    if (!lengths || count > 8)
        return 0;
    for (first = 0; first < count; first++)
        if (lengths[first] < 255)
            break;
    if (first == count)
        return 0;
    for (i = 1; i <= lengths[first]; i++)
        available[i] = 1u << ((32 - i) & 31); /* EXPECT alarm out-of-bounds */
    return available[1];
}

int draws(int x0, int y0, int x1, int y1)
{
    static const int table[256] = {1};
    int dx = x1 - x0, dy = y1 - y0, step, x, y = y0, sum = 0;
    if (x0 < 0 || x1 > 1000 || dx < 1 || dx > 1000 || y0 < 0 || y0 > 255 || y1 < 0 || y1 > 300)
        return 0;
    step = dy / dx;
    for (x = x0; x < x1; x++) {
        sum += table[y & 511]; /* EXPECT alarm out-of-bounds */
        y += step;
    }
    return sum;
}
