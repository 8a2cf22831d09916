/* Functions that end the program without being declared so, as old code has them: behind a call of one nothing
   happens, also where the function decides something first, ends in either of two ways, or calls another such one. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

char *made;
int table[8];

void give_up(void)
{
    if (made)
        unlink(made);
    exit(1);
}

int fatal(const char *text)
{
    if (!text)
        text = "?";
    fprintf(stderr, "%s\n", text);
    give_up();
    return 0;
}

void finish(int good)
{
    if (good)
        exit(0);
    else
        fatal("bad");
}

/* This one may return. */
void warn(int level)
{
    if (level < 3)
        return;
    give_up();
}

int checked(int index)
{
    if (index < 0 || index > 7)
        fatal("index");
    return table[index];
}

int divided(int by)
{
    if (by == 0)
        finish(by);
    return 100 / by;
}

int warned(int by)
{
    if (by == 0)
        warn(2);
    return 100 / by; /* EXPECT alarm division-by-zero where by = 0 */
}
