/* Use of memory after it was freed, and of memory that was moved. */
#include <stdlib.h>

int read_freed(int early)
{
    int *p = malloc(sizeof *p);
    if (!p) return 0;
    *p = 4;
    if (early == 9) free(p);
    int value = *p; /* EXPECT alarm use-after-free where early = 9 */
    if (early != 9) free(p);
    return value;
}

int write_moved(int grow)
{
    char *p = malloc(8), *q;
    if (!p) return 0;
    q = p;
    if (grow == 1) {
        q = realloc(p, 4096);
        if (!q) {
            free(p);
            return 0;
        }
    }
    p[0] = 'x'; /* EXPECT alarm use-after-free where grow = 1 */
    free(q);
    return 0;
}

struct item {
    struct item *next;
    int id;
};

int delete_all(int count)
{
    struct item *list = NULL;
    if (count < 0 || count > 3) return 0;
    for (int i = 0; i < count; i++) {
        struct item *item = malloc(sizeof *item);
        if (!item) break;
        item->next = list;
        list = item;
    }
    for (struct item *at = list; at; at = at->next) /* EXPECT alarm use-after-free where count > 0 */
        free(at);
    return count;
}

int safe_delete(int count)
{
    struct item *list = NULL;
    if (count < 0 || count > 3) return 0;
    for (int i = 0; i < count; i++) {
        struct item *item = malloc(sizeof *item);
        if (!item) break;
        item->next = list;
        list = item;
    }
    while (list) {
        struct item *next = list->next;
        free(list);
        list = next;
    }
    return count;
}
