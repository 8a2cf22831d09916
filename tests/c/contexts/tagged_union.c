/* What is in a union is what the tag beside it says, as the rest of the program uses it: the text of a number is never
 * read. A kind that the program does not tell apart may hold anything. */
/* EXPECT-FILE only contexts */
#include <stddef.h>
#include <stdlib.h>

enum { NUMBER = 1, TEXT = 2, LIST = 3 };

struct value {
    int kind;
    union {
        long number;
        const char *text;
        struct value *list;
    } as;
};

void set_number(struct value *value, long number)
{
    if (value) {
        value->kind = NUMBER;
        value->as.number = number;
    }
}

const struct value *list(const struct value *value)
{
    if (!value || value->kind != LIST)
        return NULL;
    return value->as.list;
}

/* The trap: with a number in it this would fail. */
int first(const struct value *value)
{
    if (!value)
        return -1;
    switch (value->kind) {
    case NUMBER:
        return value->as.number > 0;
    case TEXT:
        return value->as.text ? value->as.text[0] : 0;
    case LIST:
        return value->as.list ? value->as.list->kind : 0;
    default:
        return -1;
    }
}

/* The bug: anything but a number is taken for a text. */
int second(const struct value *value)
{
    if (!value || value->kind == NUMBER || !value->as.text)
        return 0;
    return value->as.text[0]; /* EXPECT alarm null-dereference where value->kind != 1 */
}
