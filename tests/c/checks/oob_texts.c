/* Overruns that take a long text of a certain kind, or a long file. */
/* EXPECT-FILE only contexts */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

int digits(const char *s)
{
    char copy[24];
    int i = 0;
    if (!s)
        return 0;
    while (isdigit((unsigned char)*s) || *s == '.' || *s == '-')
        copy[i++] = *s++; /* EXPECT alarm out-of-bounds unit reported */
    copy[i < 24 ? i : 23] = 0;
    return copy[0];
}

int words(char *line)
{
    char *all[8];
    int n = 0;
    char *word;
    if (!line)
        return 0;
    word = strtok(line, " ");
    while (word && n <= 8) {
        all[n++] = word; /* EXPECT alarm out-of-bounds unit reported */
        word = strtok(NULL, " ");
    }
    return n ? all[0][0] : 0;
}

int words_that_fit(char *line)
{
    char *all[8];
    int n = 0;
    char *word;
    if (!line)
        return 0;
    word = strtok(line, " ");
    while (word && n < 8) {
        all[n++] = word;
        word = strtok(NULL, " ");
    }
    return n ? all[0][0] : 0;
}

int chunk(FILE *file)
{
    char bytes[64];
    unsigned char length;
    if (!file || fread(&length, 1, 1, file) != 1)
        return 0;
    return (int)fread(bytes, 1, length, file); /* EXPECT alarm out-of-bounds unit reported */
}

int small_chunk(FILE *file)
{
    char bytes[64];
    unsigned char length;
    if (!file || fread(&length, 1, 1, file) != 1 || length > sizeof bytes)
        return 0;
    return (int)fread(bytes, 1, length, file);
}
