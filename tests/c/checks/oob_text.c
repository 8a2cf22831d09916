/* Texts at their limits: empty, as long as an array, and lengths that were never meant. */
/* EXPECT-FILE only contexts */
#include <string.h>

/* Bug: nothing is before an empty text. */
void chomp(char *line)
{
    if (line && line[strlen(line) - 1] == '\n') /* EXPECT alarm out-of-bounds unit reported */
        line[strlen(line) - 1] = 0;
}

/* Bug: the slash and the NUL are not counted. */
int join(const char *directory, const char *file)
{
    char path[32];
    if (!directory || !file || strlen(directory) + strlen(file) > sizeof path)
        return -1;
    strcpy(path, directory);
    strcat(path, "/");
    strcat(path, file); /* EXPECT alarm out-of-bounds unit reported */
    return path[0];
}

/* Bug: less than nothing is not kept out. */
int take(const char *text, int length)
{
    char copy[64];
    if (!text || length > 64)
        return -1;
    memcpy(copy, text, length); /* EXPECT alarm out-of-bounds unit reported where length < 0 */
    return copy[0];
}
