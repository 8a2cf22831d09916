/* Texts of the program that are compared with one of the input: each answer is one branch, however long the text. */
/* EXPECT-FILE covered all */
/* EXPECT-FILE predicted */
#include <string.h>
#include <strings.h>

int resource(const char *kind)
{
    if (!kind) return 0;
    if (strcmp(kind, "irq") == 0) return 1;
    if (strcmp("memory", kind) == 0) return 2;
    if (strncmp(kind, "dma:", 4) == 0) return 3;
    if (strncmp(kind, "bus", 40) == 0) return 4;
    if (strcasecmp(kind, "Port") == 0) return 5;
    if (strncasecmp(kind, "GPIO-", 5) == 0) return 6;
    if (memcmp(kind, "\x7f""ELF", 4) == 0) return 7;
    return 8;
}

/* Which of two is the first in the order of the alphabet. */
int order(const char *name)
{
    if (!name) return 0;
    if (strcmp(name, "middle") < 0) return 1;
    if (strcmp(name, "middle") > 0) return 2;
    return 3;
}

/* The number itself, and that a text ends before that of the program does. */
int distance(const char *name)
{
    char copy[4] = "";
    if (!name) return 0;
    strncpy(copy, name, 3);
    if (strcmp(copy, "abc") == -7) return 1;
    if (strcmp(copy, "abc, and more than there is room for") == -',') return 2;
    if (strcasecmp("xyz", copy) == 'z') return 3;
    return 4;
}

struct device {
    char name[8];
    unsigned char id;
};

/* No answer is a branch by itself: all of them are in the one question. */
int sentence(const char *when, const char *who, const char *does, const char *what, const char *where)
{
    if (!when || !who || !does || !what || !where) return 0;
    int right = !strcmp(when, "tomorrow") + !strcmp("nobody", who) + !strcasecmp(does, "Collects");
    right += !strncmp(what, "tickets!", 7) + !memcmp(where, "anywhere", 8);
    if (right == 5) return 1;
    return 2;
}

/* Without a question for null. What lies behind the name in the same object is not the name. */
int probe(const struct device *device)
{
    if (strcmp(device->name, "uart") == 0) return device->id == 9; /* EXPECT alarm null-dereference */
    if (memcmp(device->name, "spi", 3) == 0) return 2;
    return 3;
}

/* Both texts are of the input, or so long that they are compared one place after the other. */
int others(const char *a, const char *b)
{
    if (!a || !b) return 0;
    if (strcmp(a, b) == 0) return 1;
    return 2;
}
