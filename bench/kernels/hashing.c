/* A hash table of strings with open addressing: insert, find, delete, grow. */
#include "kernel.h"

#include <string.h>

struct entry { char *key; uint32_t hash; int value; };
struct table { struct entry *entries; unsigned size, used; };

static char deleted[1];

static uint32_t hash_of(const char *s)
{
    uint32_t h = 2166136261u;
    for (; *s != '\0'; s++) h = (h ^ (unsigned char)*s) * 16777619u;
    return h;
}

static struct entry *slot(const struct table *t, const char *key, uint32_t hash)
{
    struct entry *free_slot = NULL;
    for (unsigned i = hash & (t->size - 1);; i = (i + 1) & (t->size - 1)) {
        struct entry *e = &t->entries[i];
        if (e->key == NULL) return free_slot ? free_slot : e;
        if (e->key == deleted) {
            if (!free_slot) free_slot = e;
        } else if (e->hash == hash && strcmp(e->key, key) == 0) {
            return e;
        }
    }
}

static void grow(struct table *t)
{
    struct table bigger = {calloc(t->size * 2, sizeof *bigger.entries), t->size * 2, 0};
    if (!bigger.entries) exit(1);
    for (unsigned i = 0; i < t->size; i++) {
        struct entry *e = &t->entries[i];
        if (e->key == NULL || e->key == deleted) continue;
        *slot(&bigger, e->key, e->hash) = *e;
        bigger.used++;
    }
    free(t->entries);
    *t = bigger;
}

static void put(struct table *t, const char *key, int value)
{
    if ((t->used + 1) * 4 > t->size * 3) grow(t);
    uint32_t hash = hash_of(key);
    struct entry *e = slot(t, key, hash);
    if (e->key == NULL || e->key == deleted) {
        size_t n = strlen(key) + 1;
        t->used += e->key == NULL;
        e->key = malloc(n);
        if (!e->key) exit(1);
        memcpy(e->key, key, n);
        e->hash = hash;
        e->value = 0;
    }
    e->value += value;
}

static int take(struct table *t, const char *key)
{
    struct entry *e = slot(t, key, hash_of(key));
    if (e->key == NULL || e->key == deleted) return -1;
    free(e->key);
    e->key = deleted;
    return e->value;
}

int main(int argc, char **argv)
{
    struct table t = {calloc(8, sizeof *t.entries), 8, 0};
    uint64_t sum = 0;
    if (!t.entries) return 1;
    for (unsigned n = kernel_repeats(argc, argv, 1000000); n > 0; n--) {
        char key[12];
        uint32_t r = kernel_random();
        int length = 2 + (int)(r % 3);
        for (int i = 0; i < length; i++) key[i] = (char)('a' + kernel_random() % 10);
        key[length] = '\0';
        if (r >> 8 & 1) put(&t, key, length);
        else sum = kernel_mix(sum, (uint64_t)take(&t, key));
    }
    for (unsigned i = 0; i < t.size; i++)
        if (t.entries[i].key != NULL && t.entries[i].key != deleted) free(t.entries[i].key);
    free(t.entries);
    return kernel_done("hashing", sum);
}
