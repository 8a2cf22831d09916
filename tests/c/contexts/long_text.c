/* A bug that takes a text longer than those that main is run with: nobody may drop it for that. */
#include <string.h>

static int keep(const char *name)
{
    char copy[24];
    strcpy(copy, name); /* EXPECT alarm out-of-bounds unit */ /* EXPECT alarm null-dereference unit */
    return copy[0];
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    return keep(argv[1]) == 'x';
}
