/* Empty blocks in a replay build: AddressSanitizer gives them one accessible byte, exploration none. */
#include <stdlib.h>

void __asan_poison_memory_region(const volatile void *p, size_t size);

static void *empty(void *p)
{
    if (p)
        __asan_poison_memory_region(p, 1);
    return p;
}

void *ctn_malloc(size_t size) { return size ? malloc(size) : empty(malloc(0)); }
void *ctn_calloc(size_t n, size_t size) { return n && size ? calloc(n, size) : empty(calloc(n, size)); }
