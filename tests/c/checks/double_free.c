/* Freeing twice, and freeing what was never allocated. */
#include <stdlib.h>

int freed_twice(int x)
{
    char *p = malloc(10);
    if (x > 100) free(p);
    free(p); /* EXPECT alarm double-free where x > 100 */
    return x;
}

int free_inside(int x)
{
    char *p = malloc(10);
    if (!p) return 0;
    if (x == 5) p++;
    free(p); /* EXPECT alarm other where x = 5 */
    return x;
}

int safe_free(int x)
{
    char *p = malloc(10);
    if (x > 100) {
        free(p);
        p = NULL;
    }
    free(p);
    return x;
}
