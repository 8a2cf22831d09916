/* Library functions that are called for real write to memory: what they wrote is no input any more. */
/* EXPECT-FILE covered all */
/* EXPECT-FILE predicted */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

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
    if (text[2] == 'q') return 1;
    return 2;
}

char global_text[8];

int into_global(int n)
{
    if (n < 0 || n > 9) return 0;
    sprintf(global_text, "%d", 1234);
    if (global_text[1] == '2') return 1; /* EXPECT covered true */
    return 0;
}

int scanned(int x)
{
    int a = x, b = x;
    sscanf("12 34", "%d %d", &a, &b);
    if (a + b == 46) return 1; /* EXPECT covered true */
    return 0;
}

int parts(double x)
{
    double whole = x;
    double fraction = modf(2.25, &whole);
    if (whole == 2.0 && fraction == 0.25) return 1; /* EXPECT covered true */
    return 0;
}
