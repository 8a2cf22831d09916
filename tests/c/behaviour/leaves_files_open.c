/* Opens files through the library, by calls and from inside a callback, and never closes them: the next execution
 * finds the numbers free again. */
#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

int leaves_a_pipe(int a)
{
    int ends[2];
    if (pipe(ends) != 0) return -1;
    if (ends[0] > 4) return 1; /* EXPECT covered false */
    if (a == 12345) return 2;  /* EXPECT covered all */
    return a < 0 ? 3 : 4;
}

static int stop(const struct dirent *entry)
{
    (void)entry;
    exit(0);
}

int ends_inside_the_library(int a)
{
    struct dirent **list;
    int ends[2];
    if (a == 12345) scandir("/", &list, stop, NULL); /* EXPECT covered all */
    if (pipe(ends) != 0) return -1;
    if (ends[0] > 4) return 1; /* EXPECT covered false */
    return a < 0 ? 3 : 4;
}
