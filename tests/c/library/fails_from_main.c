/* Faults that an input of the whole program leads to: an argument, a line of a file, an option behind getopt, a
 * number behind scanf. */
/* EXPECT-FILE predicted */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int level, table[4] = {1, 2, 3, 4};

static int read_level(const char *name)
{
    int n = 0;
    FILE *from = name ? fopen(name, "r") : NULL;
    if (!from) return 1;
    if (fscanf(from, "level=%d", &n) == 1 && n > 0) level = n;
    fclose(from);
    return 0;
}

int main(int argc, char **argv)
{
    const char *name = NULL;
    int option;
    while ((option = getopt(argc, argv, "f:x")) != -1) {
        if (option == 'f') name = optarg;
        if (option == 'x') abort(); /* EXPECT alarm assertion confirmed */
    }
    if (read_level(name) != 0) return 2;
    return table[level]; /* EXPECT alarm out-of-bounds confirmed with callees */
}
