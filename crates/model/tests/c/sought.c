/* Strings whose end a function looks for, and what only looks like them. */
#include <string.h>

static unsigned char key[16];

void set_key(const unsigned char *from) { memcpy(key, from, 16); }

int is_set(const unsigned char *map, const unsigned char *at, const unsigned char *end)
{
    while (at < end)
        if (map[*at++])
            return 1;
    return 0;
}

int first(const char *text) { return text && *text == '#'; }

unsigned long measured(const char *text) { return strlen(text); }

unsigned long walked(const char *text)
{
    unsigned long at = 0;
    while (text[at])
        at++;
    return at;
}

unsigned long handed(const char *text, const unsigned char *more)
{
    set_key(more);
    return walked(text);
}

const char *copied(const char *text)
{
    const char *at = text;
    return at + 1;
}
