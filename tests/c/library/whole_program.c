/* A whole program: options, a file by name or standard input, an environment variable; globals start as the
 * program says. Exits are ordinary ends, and what atexit was given is called. */
/* EXPECT-FILE covered all */
/* EXPECT-FILE predicted */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int quiet = 0;
static FILE *in;

static void at_the_end(void)
{
    if (quiet && in) fclose(in);
}

static int lines(FILE *from)
{
    int c, n = 0;
    if (!from) return 0;
    while ((c = getc(from)) != EOF)
        if (c == '\n') n++;
    return n;
}

int main(int argc, char **argv)
{
    in = stdin;
    atexit(at_the_end);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-q") == 0) {
            quiet = 1;
        } else if (!(in = fopen(argv[i], "r"))) {
            in = stdin;
            exit(2);
        }
    }
    if (!quiet && getenv("DEBUG")) quiet = 2;
    if (quiet == 3) return 7; /* EXPECT covered false */
    return lines(in) == 2 ? 1 : 0;
}
