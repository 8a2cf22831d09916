/* Memory in a native build: zeroed as in exploration. Empty blocks: AddressSanitizer gives them one accessible
 * byte, exploration none; a build without the sanitizer has nothing to say about them. */
#include <stdlib.h>

__attribute__((weak)) void __asan_poison_memory_region(const volatile void *p, size_t size);

static void *empty(void *p)
{
    if (p && __asan_poison_memory_region)
        __asan_poison_memory_region(p, 1);
    return p;
}

void ctn_end_at(void *p, unsigned long size, unsigned long used)
{
    if (p && used < size && __asan_poison_memory_region)
        __asan_poison_memory_region((char *)p + used, size - used);
}

void *ctn_malloc(size_t size) { return size ? calloc(1, size) : empty(malloc(0)); }
void *ctn_calloc(size_t n, size_t size) { return n && size ? calloc(n, size) : empty(calloc(n, size)); }
