/* Null dereference: a parameter, a member of a list, what a search returned, a function pointer. */
#include <stddef.h>
#include <string.h>

struct node {
    int value;
    struct node *next;
};

int first_value(const struct node *list)
{
    return list->value; /* EXPECT alarm null-dereference */
}

int second_value(const struct node *list)
{
    if (!list) return 0;
    return list->next->value; /* EXPECT alarm null-dereference */
}

void write_result(int *out, int value)
{
    *out = value; /* EXPECT alarm null-dereference */
}

int after_colon(int with_colon)
{
    char text[] = "key=value";
    if (with_colon == 5) text[3] = ':';
    char *at = strchr(text, ':');
    return at[1]; /* EXPECT alarm null-dereference where with_colon != 5 */
}

int call_it(int which)
{
    int (*f)(const struct node *) = which == 12 ? NULL : first_value;
    struct node one = {1, NULL};
    return f(&one); /* EXPECT alarm null-dereference where which = 12 */
}

int safe_sum(const struct node *list)
{
    int sum = 0;
    for (int i = 0; list && i < 5; list = list->next, i++) sum += list->value;
    return sum;
}

int safe_write(int *out, int value)
{
    if (out == NULL) return -1;
    *out = value;
    return 0;
}
