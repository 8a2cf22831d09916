/* A search in a list that ends without a find, and what comes behind it. */
/* EXPECT-FILE only contexts */
#include <stdlib.h>

struct entry {
    int key, value;
    struct entry *next;
};

struct table {
    struct entry *buckets[8];
};

int put(struct table *table, unsigned key, int value)
{
    struct entry *entry;
    if (!table || !(entry = malloc(sizeof *entry)))
        return -1;
    entry->key = (int)key;
    entry->value = value;
    entry->next = table->buckets[key % 8];
    table->buckets[key % 8] = entry;
    return 0;
}

int get(const struct table *table, unsigned key)
{
    struct entry *entry;
    if (!table)
        return -1;
    entry = table->buckets[key % 8];
    while (entry && entry->key != (int)key)
        entry = entry->next;
    return entry->value; /* EXPECT alarm null-dereference unit reported */
}

int get_or(const struct table *table, unsigned key, int otherwise)
{
    struct entry *entry;
    if (!table)
        return -1;
    entry = table->buckets[key % 8];
    while (entry && entry->key != (int)key)
        entry = entry->next;
    return entry ? entry->value : otherwise;
}

/* The end of a table that nobody can change. */
struct command {
    const char *name;
    int (*run)(int);
};

static int once(int n) { return n + 1; }
static int twice(int n) { return 2 * n; }
static const struct command commands[] = {{"once", once}, {"twice", twice}, {0, 0}};

int runs(char letter, int n)
{
    const struct command *command = commands;
    while (command->name && command->name[0] != letter)
        command++;
    return command->run(n); /* EXPECT alarm null-dereference unit reported */
}

int runs_known(char letter, int n)
{
    const struct command *command = commands;
    while (command->name && command->name[0] != letter)
        command++;
    return command->name ? command->run(n) : -1;
}
