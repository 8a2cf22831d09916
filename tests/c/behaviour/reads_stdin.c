/* Reads standard input: it never waits for the terminal, and what it reads is an input. */
/* EXPECT-FILE covered all */
#include <stdio.h>
#include <unistd.h>

int by_character(void)
{
    int c = getchar();
    if (c == EOF) return 0;
    return c == 'q' ? 1 : 2;
}

int by_line(void)
{
    char line[16];
    if (!fgets(line, sizeof line, stdin)) return 0;
    return line[0] == 'o' && line[1] == 'k' ? 1 : 2;
}

int by_descriptor(void)
{
    char bytes[4] = {0};
    if (read(0, bytes, sizeof bytes) != 4) return 0;
    return bytes[3] == 0x7f ? 1 : 2;
}
