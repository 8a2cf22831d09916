/* Sorting records three ways, and searching in the result. */
#include "kernel.h"

#include <string.h>

struct record { uint32_t key; uint16_t place; char name[10]; };
enum { COUNT = 512 };

static int order(const struct record *a, const struct record *b)
{
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return (int)a->place - (int)b->place;
}

static void insertion_sort(struct record *r, int n)
{
    for (int i = 1; i < n; i++) {
        struct record moved = r[i];
        int k = i;
        for (; k > 0 && order(&moved, &r[k - 1]) < 0; k--) r[k] = r[k - 1];
        r[k] = moved;
    }
}

static void swap(struct record *a, struct record *b)
{
    struct record t = *a;
    *a = *b;
    *b = t;
}

static void quick_sort(struct record *r, int n)
{
    while (n > 12) {
        struct record pivot = r[n / 2];
        int i = 0, k = n - 1;
        while (i <= k) {
            while (order(&r[i], &pivot) < 0) i++;
            while (order(&pivot, &r[k]) < 0) k--;
            if (i <= k) swap(&r[i++], &r[k--]);
        }
        if (k + 1 < n - i) {
            quick_sort(r, k + 1);
            r += i;
            n -= i;
        } else {
            quick_sort(r + i, n - i);
            n = k + 1;
        }
    }
    insertion_sort(r, n);
}

static void heap_sort(struct record *r, int n)
{
    for (int start = n / 2 - 1, end = n; end > 1;) {
        int root;
        if (start >= 0) {
            root = start--;
        } else {
            swap(&r[0], &r[--end]);
            root = 0;
        }
        for (int child; (child = 2 * root + 1) < end; root = child) {
            if (child + 1 < end && order(&r[child], &r[child + 1]) < 0) child++;
            if (order(&r[root], &r[child]) >= 0) break;
            swap(&r[root], &r[child]);
        }
    }
}

int main(int argc, char **argv)
{
    static struct record first[COUNT], second[COUNT];
    uint64_t sum = 0;
    for (unsigned n = kernel_repeats(argc, argv, 1000); n > 0; n--) {
        memset(first, 0, sizeof first);
        for (int i = 0; i < COUNT; i++) {
            first[i].key = kernel_random() % 300;
            first[i].place = (uint16_t)i;
            first[i].name[i % 9] = (char)('a' + i % 26);
        }
        memcpy(second, first, sizeof first);
        quick_sort(first, COUNT);
        heap_sort(second, COUNT);
        if (memcmp(first, second, sizeof first) != 0) return 1;
        uint32_t key = kernel_random() % 300;
        int low = 0, high = COUNT;
        while (low < high) {
            int middle = (low + high) / 2;
            if (first[middle].key < key) low = middle + 1;
            else high = middle;
        }
        sum = kernel_mix(sum, (uint64_t)low * 1000 + first[COUNT / 2].place);
    }
    return kernel_done("sorting", sum);
}
