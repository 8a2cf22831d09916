/* Strings built and taken apart: copying, joining, splitting, searching, comparing with each other. */
/* EXPECT-FILE covered all */
#include <stdlib.h>
#include <string.h>

int joined(char a, char b)
{
    char text[8] = "";
    char part[2] = {a, 0};
    strcat(text, "x");
    strcat(text, part);
    part[0] = b;
    strncat(text, part, 1);
    if (strcmp(text, "xyz") == 0) return 1;
    return 0;
}

int split(const char *line)
{
    char copy[12];
    if (!line) return 0;
    strncpy(copy, line, sizeof copy - 1);
    copy[sizeof copy - 1] = 0;
    char *key = strtok(copy, "="), *value = strtok(NULL, "=");
    if (!key || !value) return 1;
    if (strcmp(key, "id") == 0 && atoi(value) == 42) return 2;
    return 3;
}

int duplicate(const char *s)
{
    if (!s) return 0;
    char *copy = strdup(s);
    if (!copy) return 0; /* EXPECT covered false */
    int found = strstr(copy, "ab") != NULL;
    free(copy);
    if (found) return 1;
    return 2;
}

int compared(const char *a, const char *b)
{
    if (!a || !b) return 0;
    int order = strcmp(a, b);
    if (order < 0) return 1;
    if (order > 0) return 2;
    return 3;
}

int moved(unsigned char n, unsigned char value)
{
    unsigned char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    n %= 5;
    bytes[0] = value;
    memmove(bytes + n, bytes, 4);
    if (bytes[3] == 77) return 1;
    if (memcmp(bytes + n, "\xee\x02", 2) == 0) return 2;
    return 0;
}
