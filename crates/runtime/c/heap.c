/* The C library's allocation functions over arena.c: by their own names for code that is not instrumented, by
 * ctn_ names for code that is, where symbolic sizes and pointers become concrete and are logged. */
#define _GNU_SOURCE
#include "host.h"

#include <errno.h>
#include <string.h>

#define ALIGNMENT 16

void *malloc(size_t size) { return rt_alloc(size, ALIGNMENT, 0); }

void free(void *p)
{
    if (p) {
        rt_end_forget(p);
        host_free(p);
    }
}

void *calloc(size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes)) {
        errno = ENOMEM;
        return 0;
    }
    return rt_alloc(bytes, ALIGNMENT, 1);
}

/* Always moves, so that a pointer kept to the old place is found out. */
void *realloc(void *p, size_t size)
{
    if (!p)
        return rt_alloc(size, ALIGNMENT, 0);
    uint64_t old;
    if (!host_block_size(p, &old))
        return 0;
    if (!size) {
        host_free(p);
        return 0;
    }
    void *moved = rt_alloc(size, ALIGNMENT, 0);
    if (!moved)
        return 0;
    uint64_t kept = old < size ? old : size;
    uint64_t there = rt_end_of((uint64_t)p, kept);
    memcpy(moved, p, kept);
    rt_copy_labels(moved, p, there);
    rt_end_forget(p);
    host_free(p);
    return moved;
}

void *reallocarray(void *p, size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes)) {
        errno = ENOMEM;
        return 0;
    }
    return realloc(p, bytes);
}

int posix_memalign(void **out, size_t align, size_t size)
{
    if (align < sizeof(void *) || (align & (align - 1)))
        return EINVAL;
    int saved = errno;
    void *p = rt_alloc(size, align, 0);
    errno = saved;
    if (!p)
        return ENOMEM;
    *out = p;
    return 0;
}

void *memalign(size_t align, size_t size)
{
    if (!align || (align & (align - 1))) {
        errno = EINVAL;
        return 0;
    }
    return rt_alloc(size, align, 0);
}

void *aligned_alloc(size_t align, size_t size) { return memalign(align, size); }
void *valloc(size_t size) { return memalign(4096, size); }
void *pvalloc(size_t size) { return memalign(4096, (size + 4095) & ~4095ull); }

size_t malloc_usable_size(void *p)
{
    uint64_t size;
    return p && host_block_size(p, &size) ? size : 0;
}

/* --- called by instrumented code -------------------------------------------------------------------------- */

/* Argument i is made concrete: if it was symbolic, this path holds for this value only. */
static void concrete(unsigned i, uint16_t kind, uint64_t value)
{
    uint32_t label = __ctn_args[i];
    if (label)
        rt_log(CTN_LOG_CONCRETISED, kind, 0, 0, label, value);
    __ctn_ret[0] = 0;
}

static void concrete_size(unsigned i, uint64_t size) { concrete(i, CTN_CONC_ALLOCATION_SIZE, size); }
static void concrete_pointer(unsigned i, const void *p) { concrete(i, CTN_CONC_EXTERNAL_ARGUMENT, (uint64_t)p); }

void *ctn_malloc(size_t size)
{
    concrete_size(0, size);
    return malloc(size);
}

void ctn_free(void *p)
{
    concrete_pointer(0, p);
    free(p);
}

void *ctn_calloc(size_t n, size_t size)
{
    concrete_size(0, n);
    concrete_size(1, size);
    return calloc(n, size);
}

void *ctn_realloc(void *p, size_t size)
{
    concrete_pointer(0, p);
    concrete_size(1, size);
    return realloc(p, size);
}

void *ctn_reallocarray(void *p, size_t n, size_t size)
{
    concrete_pointer(0, p);
    concrete_size(1, n);
    concrete_size(2, size);
    return reallocarray(p, n, size);
}

void *ctn_aligned_alloc(size_t align, size_t size)
{
    concrete_size(0, align);
    concrete_size(1, size);
    return aligned_alloc(align, size);
}

int ctn_posix_memalign(void **out, size_t align, size_t size)
{
    concrete_size(1, align);
    concrete_size(2, size);
    int failed = posix_memalign(out, align, size);
    if (!failed)
        rt_unpoison(out, sizeof *out);
    return failed;
}

void ctn_end_at(void *p, unsigned long size, unsigned long used)
{
    if (p)
        rt_end_at(p, size, used, __ctn_args[2]);
}

void *ctn_alloc(unsigned long size)
{
    concrete_size(0, size);
    void *p = rt_alloc(size, ALIGNMENT, 1);
    /* A driver that asks for more than there is does not describe a usable state. */
    if (!p)
        rt_end(CTN_END_OUT_OF_MEMORY, 0, 0, 0, 0, 0);
    return p;
}
