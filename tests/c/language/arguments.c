/* The command line is an input: how many arguments, and each of them. */
/* EXPECT-FILE covered all */
#include <stdlib.h>
#include <string.h>

static int verbose;

int main(int argc, char **argv)
{
    int level = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-v") == 0)
            verbose = 1;
        else if (argv[i][0] == '-' && argv[i][1] == 'l')
            level = atoi(argv[i] + 2);
        else
            return 2;
    }
    if (verbose && level == 12) return 1;
    return 0;
}
