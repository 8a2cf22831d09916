/* Writes to standard output and error: bytes that are no text, and without an end. */
#include <stdio.h>
#include <unistd.h>

int noise(int x)
{
    if (x == 1) printf("\033[2J\033]0;title\007 \377\376 %d\n", x); /* EXPECT covered all */
    if (x == 2) fwrite("\0\1\2\3\200", 1, 5, stderr);             /* EXPECT covered all */
    return 0;
}

int flood(int x) /* EXPECT end output-limit or timeout */
{
    char block[4096] = {0};
    if (x != 9) return 0;
    while (write(1, block, sizeof block) != 0) continue; /* EXPECT alarm non-termination where x = 9 */
    return 1;
}

/* Takes the descriptors away, the ones it was not told about included. */
int closes_everything(int x)
{
    if (x != 9) return 0;
    for (int fd = 0; fd < 1024; fd++) close(fd);
    return 1;
}
