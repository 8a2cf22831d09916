/* A table that is handed to functions which only look into it keeps its words; one that a function may change does not. */
#include <string.h>

static const char *words[] = {"break", "case", "else"};
static const char *names[] = {"a", "b", "c"};
static const char *labels[] = {"x", "y", "z"};
static const char **current;

static int find(const char **list, int count, const char *word)
{
    int i;
    for (i = 0; i < count; i++)
        if (!strcmp(list[i], word)) /* EXPECT alarm null-dereference */ /* EXPECT alarm out-of-bounds */
            return i;
    return -1;
}

static int count_short(const char **list, int count)
{
    int found = 0;
    while (count-- > 0)
        if (strlen(*list++) < 5) /* EXPECT alarm null-dereference */ /* EXPECT alarm out-of-bounds */
            found++;
    return found;
}

static void put(const char **list, int at, const char *word)
{
    list[at] = word; /* EXPECT alarm null-dereference */ /* EXPECT alarm out-of-bounds */
}

static void use(const char **list)
{
    current = list;
}

int keyword(const char *word)
{
    return word && find(words, 3, word) >= 0 && count_short(words, 3) == 2;
}

int first_letter(int at)
{
    return at >= 0 && at < 3 ? words[at][0] : 0;
}

void rename_one(int at, const char *word)
{
    if (at >= 0 && at < 3)
        put(names, at, word);
}

int letter_of_name(int at)
{
    return at >= 0 && at < 3 ? names[at][0] : 0; /* EXPECT alarm null-dereference */
}

int letter_of_label(int at)
{
    use(labels);
    return at >= 0 && at < 3 ? labels[at][0] : 0; /* EXPECT alarm null-dereference */
}
