/* Results that a function's body shows not to be null: stubs do not make them null. And look-alikes, which may be. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    int value;
    struct node *next;
};

struct machine {
    struct node *stack;
    int top;
    struct node first;
};

static void die(const char *text)
{
    fprintf(stderr, "%s\n", text);
    exit(2);
}

/* Tested, and the program ends. */
void *xmalloc(size_t size)
{
    void *got = malloc(size);
    if (got == NULL)
        die("memory");
    return got;
}

/* What another one gives, used before it is returned. */
struct node *new_node(int value)
{
    struct node *made = xmalloc(sizeof *made);
    made->value = value;
    made->next = 0;
    return made;
}

/* Places in objects. */
struct node *place(struct machine *m, int index)
{
    if (index < 0)
        return &m->first;
    return m->stack + index; /* EXPECT alarm null-dereference */
}

const char *name_of(int kind)
{
    static const char *const names[] = {"one", "two"};
    const char *found = kind == 1 ? names[0] : "other";
    switch (kind) {
    case 1:
    case 2:
        return found ? found : "none";
    default:
        die("kind");
        return NULL;
    }
}

/* Only sometimes tested. */
struct node *maybe_node(int value)
{
    struct node *made = malloc(sizeof *made);
    if (value > 3 && !made)
        die("memory");
    return made;
}

/* Tested, and set again. */
struct node *last_of(struct node *list)
{
    if (!list)
        die("list");
    list = list->next;
    return list;
}

/* In a loop, what was shown before it does not hold behind it. */
struct node *nth(struct node *list, int n)
{
    if (!list)
        return &list[1];
    while (n-- > 0)
        list = list->next; /* EXPECT alarm null-dereference */
    return list;
}

int uses_new(int value)
{
    return new_node(value)->value;
}

int uses_place(struct machine *m)
{
    return m ? place(m, -1)->value : 0;
}

int uses_name(int kind)
{
    return name_of(kind)[0];
}

int uses_maybe(int value)
{
    return maybe_node(value)->value; /* EXPECT alarm null-dereference with stubs */
}

int uses_last(struct node *list)
{
    return last_of(list)->value; /* EXPECT alarm null-dereference */
}

int uses_nth(struct node *list)
{
    return nth(list, 2)->value; /* EXPECT alarm null-dereference */
}
