/* What is formatted into memory keeps its meaning; what is only shown decides nothing. */
/* EXPECT-FILE covered all */
/* EXPECT-FILE predicted */
#include <stdio.h>
#include <string.h>

int decimal(int n)
{
    char text[16];
    sprintf(text, "%d", n);
    if (strcmp(text, "-1234") == 0) return 1;
    return 0;
}

int hexadecimal(unsigned n)
{
    char text[16];
    if (snprintf(text, sizeof text, "%#010x", n) != 10) return -1; /* EXPECT covered false */
    if (strcmp(text, "0x00c0ffee") == 0) return 1;
    return 0;
}

int cut(const char *word)
{
    char text[4];
    if (!word) return -1;
    if (snprintf(text, sizeof text, "%s", word) >= (int)sizeof text) return 1;
    return strcmp(text, "abc") == 0 ? 2 : 0;
}

int shown(int n)
{
    printf("%d\n", n);
    puts("done");
    if (n == 12345) return 1;
    return 0;
}
