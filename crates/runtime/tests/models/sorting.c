/* qsort, qsort_r, bsearch: the sorted array, stability, and the answer for every key. */
#define _GNU_SOURCE
#include "check.h"

#include <stdlib.h>
#include <string.h>

void ctn_model_qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
void ctn_model_qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *),
                       void *context);
void *ctn_model_bsearch(const void *key, const void *base, size_t count, size_t size,
                        int (*compare)(const void *, const void *));

typedef struct { short key; char pad[3]; unsigned place; } record;

static int by_key(const void *a, const void *b)
{
    const record *x = a, *y = b;
    return x->key - y->key;
}

static int by_context(const void *a, const void *b, void *direction)
{
    return *(const int *)direction * by_key(a, b);
}

static int by_byte(const void *a, const void *b)
{
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

static void check_records(unsigned count, unsigned keys)
{
    record mine[40], theirs[40];
    memset(mine, 0, sizeof mine);
    for (unsigned i = 0; i < count; i++) {
        mine[i].key = (short)below(keys);
        mine[i].place = i;
    }
    memcpy(theirs, mine, sizeof mine);
    ctn_model_qsort(mine, count, sizeof *mine, by_key);
    for (unsigned i = 1; i < count; i++)
        CHECK(mine[i - 1].key < mine[i].key || (mine[i - 1].key == mine[i].key && mine[i - 1].place < mine[i].place),
              "records");
    int down = -1;
    ctn_model_qsort_r(theirs, count, sizeof *theirs, by_context, &down);
    for (unsigned i = 0; i < count; i++) SAME(theirs[count - 1 - i].key, mine[i].key, "descending");
    for (unsigned k = 0; k <= keys; k++) {
        record key = {.key = (short)k};
        SAME(ctn_model_bsearch(&key, mine, count, sizeof *mine, by_key), bsearch(&key, mine, count, sizeof *mine, by_key),
             "bsearch");
    }
}

void check_sorting(void)
{
    for (unsigned count = 0; count <= 40; count++)
        for (unsigned keys = 1; keys < 50; keys += 6) check_records(count, keys);
    unsigned char mine[200], theirs[200];
    for (int round = 0; round < 500; round++) {
        unsigned count = below(200);
        for (unsigned i = 0; i < count; i++) mine[i] = theirs[i] = (unsigned char)any();
        ctn_model_qsort(mine, count, 1, by_byte);
        qsort(theirs, count, 1, by_byte);
        CHECK(memcmp(mine, theirs, count) == 0, "bytes");
    }
}
