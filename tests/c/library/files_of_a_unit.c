/* A function that is tested by itself opens files: they are there or not, and what is in them is an input. */
/* EXPECT-FILE covered all */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int configured(const char *path)
{
    char line[32];
    if (!path) return -1;
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    int level = 0;
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#') continue;
        if (strncmp(line, "level=", 6) == 0) level = line[6] - '0';
    }
    fclose(file);
    if (level == 7) return 2;
    return 1;
}

int magic(void)
{
    unsigned char head[4];
    int fd = open("/etc/image", O_RDONLY);
    if (fd < 0) return -1;
    ssize_t n = read(fd, head, sizeof head);
    close(fd);
    if (n < 4) return -2;
    if (head[0] == 0x7f && head[3] == 'F') return 1;
    return 0;
}

int noted(int value)
{
    FILE *log = fopen("/var/log/notes", "a");
    if (!log) return -1;
    fprintf(log, "%d\n", value);
    fclose(log);
    return value > 10;
}

int second(void)
{
    FILE *one = fopen("one", "r"), *two = fopen("two", "r");
    int result = 0;
    if (two && !one) result = fgetc(two) == 'x' ? 2 : 1;
    if (one) fclose(one);
    if (two) fclose(two);
    return result;
}

int overrun(void)
{
    char name[8];
    FILE *file = fopen("names.txt", "r");
    if (!file) return 0;
    int n = 0, c;
    while ((c = fgetc(file)) != EOF && c != '\n')
        name[n++] = (char)c; /* EXPECT alarm out-of-bounds */
    fclose(file);
    return n > 0 && name[0] == '!';
}
