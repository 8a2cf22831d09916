/* How much is behind a parameter, as the program tells: by its declaration, by the arrays that it hands over, by what it calls
 * with the pointer and a number. */
/* EXPECT-FILE only contexts */
/* EXPECT-FILE alarms any */
#include <string.h>

/* Bug: twenty-two are declared. */
int sum(const int seq[22], int n)
{
    int all = 0;
    for (int i = 0; i <= n && i <= 22; i++)
        all += seq[i]; /* EXPECT alarm out-of-bounds unit reported */
    return all;
}

/* Bug: the caller's array has sixteen. */
static const char *get_name(char *name, const char *p)
{
    while (*p == ' ')
        p++;
    while (*p && *p != ':')
        *name++ = *p++; /* EXPECT alarm out-of-bounds feasible reported */
    *name = 0;
    return p;
}

int is_loop(const char *line)
{
    char name[16];
    if (!line)
        return 0;
    get_name(name, line);
    return strcmp(name, "lo") == 0;
}

/* Bug: there may be none. */
int describe(char *value, unsigned room, int kind)
{
    if (!value)
        return 0;
    memset(value, 0, room);
    value[0] = kind > 3 ? 'x' : 'y'; /* EXPECT alarm out-of-bounds feasible reported */
    return 1;
}

/* Bug: the same, by way of a function that fills it. */
int label(char *text, unsigned most, int kind)
{
    if (!text)
        return 0;
    int done = describe(text, most, kind);
    text[1] = 0; /* EXPECT alarm out-of-bounds unit reported where most = 1 */
    return done;
}

/* As complex as any. */
int count(int c) { return c == 'a' ? 1 : c == 'b' ? 2 : c == 'c' ? 3 : 0; }
