/* Models of qsort, qsort_r and bsearch: comparisons happen in the program's function, as real calls. The
 * sort is a stable merge that splits at the half and prefers the left run, which is the order of calls that
 * programs see from the usual library. */
#include "models.h"

#include <stdlib.h>
#include <string.h>

typedef int compare_with(const void *a, const void *b, void *context);

typedef struct {
    size_t size;
    compare_with *compare;
    void *context;
    char *spare; /* room for all elements */
} sort_job;

static void merge_sort(const sort_job *job, char *base, size_t count)
{
    if (count < 2) return;
    size_t size = job->size, left = count / 2, right = count - left;
    char *a = base, *b = base + left * size, *out = job->spare;
    merge_sort(job, a, left);
    merge_sort(job, b, right);
    while (left > 0 && right > 0) {
        if (job->compare(a, b, job->context) <= 0) {
            memcpy(out, a, size);
            a += size;
            left--;
        } else {
            memcpy(out, b, size);
            b += size;
            right--;
        }
        out += size;
    }
    /* What is left of the right run is already in its place. */
    if (left > 0) memcpy(out, a, left * size);
    memcpy(base, job->spare, (count - right) * size);
}

/* Needs no room: for when there is none. */
static void insertion_sort(char *base, size_t count, size_t size, compare_with *compare, void *context)
{
    for (char *sorted = base + size; sorted < base + count * size; sorted += size)
        for (char *at = sorted; at > base && compare(at - size, at, context) > 0; at -= size)
            for (size_t i = 0; i < size; i++) {
                char moved = at[i];
                at[i] = at[(ptrdiff_t)i - (ptrdiff_t)size];
                at[(ptrdiff_t)i - (ptrdiff_t)size] = moved;
            }
}

void ctn_model_qsort_r(void *base, size_t count, size_t size, compare_with *compare, void *context)
{
    if (count < 2 || size == 0) return;
    char *spare = malloc(count * size);
    if (spare == NULL) {
        insertion_sort(base, count, size, compare, context);
        return;
    }
    sort_job job = {size, compare, context, spare};
    merge_sort(&job, base, count);
    free(spare);
}

typedef int compare_plain(const void *a, const void *b);

static int call_plain(const void *a, const void *b, void *context)
{
    return (*(compare_plain **)context)(a, b);
}

void ctn_model_qsort(void *base, size_t count, size_t size, compare_plain *compare)
{
    ctn_model_qsort_r(base, count, size, call_plain, &compare);
}

void *ctn_model_bsearch(const void *key, const void *base, size_t count, size_t size, compare_plain *compare)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *at = (const char *)base + middle * size;
        int order = compare(key, at);
        if (order == 0) return (void *)at;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}
