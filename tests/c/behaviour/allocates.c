/* Allocates without an end: by many blocks, by ever larger blocks, by one absurd block. */
#include <stdlib.h>
#include <string.h>

void *kept;

void many_blocks(int go) /* EXPECT end out-of-memory */
{
    if (go != 3) return;
    for (;;) {
        void **block = malloc(1 << 16);
        if (!block) exit(9);
        memset(block, 1, 1 << 16);
        *block = kept;
        kept = block;
    }
}

void growing_block(int go) /* EXPECT end out-of-memory */
{
    char *p = NULL;
    if (go != 3) return;
    for (size_t size = 1024;; size *= 2) {
        char *q = realloc(p, size);
        if (!q) exit(9);
        memset(q, 1, size);
        p = q;
    }
}

/* Asking for more than there is gives null, and that is an answer. */
int absurd_block(int go)
{
    if (go != 3) return 0;
    char *p = malloc((size_t)1 << 46);
    if (!p) return 1; /* EXPECT covered true */
    free(p);
    return 2;
}
