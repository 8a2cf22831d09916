/* Out of bounds of memory from the allocator. */
#include <stdlib.h>

int heap_above(int i)
{
    int *p = malloc(4 * sizeof *p);
    if (!p) return 0;
    for (int k = 0; k < 4; k++) p[k] = k;
    int value = 0;
    if (i >= 0) value = p[i]; /* EXPECT alarm out-of-bounds where i > 3 */
    free(p);
    return value;
}

int heap_below(int i)
{
    char *p = calloc(16, 1);
    if (!p) return 0;
    if (i < 16) p[i] = 1; /* EXPECT alarm out-of-bounds where i < 0 */
    free(p);
    return 0;
}

int zero_bytes(int use)
{
    char *p = malloc(0);
    int value = 0;
    if (p && use == 1) value = *p; /* EXPECT alarm out-of-bounds where use = 1 */
    free(p);
    return value;
}

int after_realloc(int i)
{
    char *p = malloc(32);
    if (!p) return 0;
    char *q = realloc(p, 8);
    if (!q) {
        free(p);
        return 0;
    }
    q[0] = 1;
    if (i >= 0 && i < 32) q[i] = 2; /* EXPECT alarm out-of-bounds where i > 7 */
    free(q);
    return 0;
}

int safe_heap(unsigned i)
{
    int *p = calloc(4, sizeof *p);
    if (!p) return 0;
    int value = p[i & 3];
    free(p);
    return value;
}
