/* Library functions that are called for real write to memory: what they wrote is no input any more. */
/* EXPECT-FILE covered all */
#include <stdio.h>
#include <string.h>

int formatted(int x, char first)
{
    char text[16] = {first, 0};
    if (x < 0 || x > 99) return 0;
    snprintf(text, sizeof text, "%03d", 7);
    if (text[0] == '0' && text[2] == '7') return 1; /* EXPECT covered true */
    return first; /* never: the text is known */
}

int kept(char first, char last)
{
    char text[8] = {first, 'b', last, 0};
    sprintf(text, "z");
    if (text[0] != 'z') return 0; /* EXPECT covered false */
    if (last == 'q') return 1;
    return 2;
}

int length_of_output(int n)
{
    char text[32];
    int used = snprintf(text, sizeof text, "%d", 12345);
    if (used == n) return 1;
    return 0;
}
