/* The caller's text is longer in the program than a driver makes it: that no short one gets behind the table does
   not mean that none does. */
#include <string.h>
static int table[40];

static int at(unsigned n)
{
    if (n == 1000)
        return 0;
    return table[n]; /* EXPECT alarm out-of-bounds unit */
}

int of_length(const char *text)
{
    return text ? at((unsigned)strlen(text)) : 0;
}

/* A trap: whatever is in the text, a remainder is not behind the table. */
static int within(unsigned n)
{
    if (n == 1000)
        return 0;
    return table[n]; /* EXPECT alarm out-of-bounds dropped */
}

int of_first(unsigned char first)
{
    return within(first % 39u);
}

int main(int argc, char **argv)
{
    return argc > 1 ? of_length(argv[1]) + of_first((unsigned char)argv[1][0]) : 0;
}
