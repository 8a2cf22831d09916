/* FOCAL, figure 1: the assertion at the end fails for a line that begins with C and goes on. From main, the
 * way leads through `route`, whose loop over lines that begin with B is of no use for it. That no
 * pointer is null there is not shown by lines of bounded length. */
#include <assert.h>
#include <stdio.h>

char line[128];
int letters;

void finish(char *s)
{
    assert(*s != 'C' || *(s + 1) == '\0'); /* EXPECT alarm assertion confirmed */ /* EXPECT alarm null-dereference */
}

void route(char *s)
{
    if (*s == 'B') { /* EXPECT alarm null-dereference */
        char *t = s + 1;
        while (*t != '\0') { /* EXPECT covered all */
            letters++;
            t++;
        }
    }
    finish(s);
}

int main(void)
{
    if (!fgets(line, sizeof line, stdin)) return 1;
    if (*line == 'A') /* EXPECT covered all */
        finish(line);
    else
        route(line);
    return 0;
}
