/* Removes, overwrites and renames a file that is not its own. */
/* EXPECT-FILE canary */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef CANARY
#define CANARY "canary.txt"
#endif

int deletes(int x) /* EXPECT end forbidden or returned */
{
    return x == 2 ? unlink(CANARY) : remove(CANARY);
}

int overwrites(int x) /* EXPECT end forbidden or returned */
{
    int fd = open(CANARY, x == 2 ? O_WRONLY | O_TRUNC : O_WRONLY | O_APPEND);
    if (fd < 0) return -1;
    int written = (int)write(fd, "harm", 4);
    close(fd);
    return written;
}

int by_stream(int x) /* EXPECT end forbidden or returned */
{
    FILE *f = fopen(CANARY, x == 2 ? "w" : "a");
    if (!f) return -1;
    fputs("harm", f);
    return fclose(f);
}

int renames(int x) /* EXPECT end forbidden or returned */
{
    return x == 2 ? rename(CANARY, "moved") : chmod(CANARY, 0);
}
