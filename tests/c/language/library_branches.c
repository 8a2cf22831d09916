/* Branches behind the C library: the functions are modelled, so their answers are part of the path. */
/* EXPECT-FILE covered all */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int keyword(const char *s)
{
    if (!s) return 0;
    if (strcmp(s, "open") == 0) return 1;
    if (strncmp(s, "cl", 2) == 0) return 2;
    if (strchr(s, '=')) return 3;
    return 4;
}

int number(const char *s)
{
    if (!s) return 0;
    if (atoi(s) == -57) return 1;
    if (strtol(s, NULL, 16) == 0xbe) return 2;
    return 3;
}

int classes(char c)
{
    if (isdigit((unsigned char)c)) return 1;
    if (isupper((unsigned char)c)) return 2;
    if (toupper((unsigned char)c) == 'Q') return 3;
    return 4;
}

int measured(const char *s)
{
    if (!s) return 0;
    if (strlen(s) == 4 && s[0] == s[3]) return 1;
    return 2;
}

static int by_value(const void *a, const void *b)
{
    return *(const unsigned char *)a - *(const unsigned char *)b; /* EXPECT alarm null-dereference */
}

int sorted(unsigned char a, unsigned char b, unsigned char c)
{
    unsigned char all[3] = {a, b, c};
    qsort(all, 3, 1, by_value);
    if (all[1] == 100 && a != 100) return 1;
    return 0;
}
