/* A unit that uses the heap: builds a list out of its input, grows a buffer on the way, frees everything. */
#include <stdlib.h>
#include <string.h>

struct item {
    struct item *next;
    unsigned char value;
};

struct values {
    unsigned char of[8];
};

int allocating(struct values values)
{
    struct item *list = NULL;
    char *text = malloc(4);
    int length = 0, sum = 0;
    for (int i = 0; i < 8; i++) {
        struct item *item = calloc(1, sizeof *item);
        if (!item) break;
        item->value = values.of[i];
        item->next = list;
        list = item;
        char *larger = realloc(text, (size_t)length + 8);
        if (!larger) break;
        text = larger;
        memset(text + length, 'x', 4);
        length += 4;
    }
    while (list) {
        struct item *next = list->next;
        sum += list->value > 100 ? 1 : 0;
        free(list);
        list = next;
    }
    free(text);
    return sum + length;
}
