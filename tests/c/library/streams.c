/* A stream that a function is given is an input: its contents, and that it may be null. What is written to a file
 * can be read again, labels and all. */
/* EXPECT-FILE covered all */
/* EXPECT-FILE predicted */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int magic(FILE *from)
{
    unsigned char head[4];
    if (!from) return -1;
    if (fread(head, 1, sizeof head, from) != sizeof head) return 0;
    if (memcmp(head, "\x89PNG", 4) == 0) return 1;
    if (fseek(from, -5, SEEK_END) != 0) return 2;
    while (fgetc(from) != 0xd9)
        if (feof(from)) return 3;
    return ftell(from) == 7 ? 4 : 5;
}

int key(FILE *from)
{
    char *line = NULL;
    size_t room = 0;
    int found = 0;
    if (!from) return -1;
    while (getline(&line, &room, from) > 0)
        if (strncmp(line, "key=", 4) == 0) found = atoi(line + 4);
    free(line);
    if (found == 77) return 1;
    return 0;
}

int round_trip(int number)
{
    char text[32];
    FILE *file = tmpfile();
    if (!file) return -1; /* EXPECT covered false */
    fprintf(file, "<%d>", number);
    rewind(file);
    if (!fgets(text, sizeof text, file)) return -2; /* EXPECT covered false */
    fclose(file);
    if (strcmp(text, "<4711>") == 0) return 1;
    return 0;
}
