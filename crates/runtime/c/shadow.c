/* The shadow: a memory label for every byte of the process. Pages of it that were written are kept in a
 * list, so that a reset costs what the execution touched and not the size of memory; where every execution is
 * forked nothing is reset, and no list kept. The frames of instrumented functions write redzones without
 * noting it; they lie above __ctn_stack_low. The heap's room is not listed either: who resets the heap knows how much of
 * it was used. */
#include <sys/mman.h>

#include "cold.h"
#include "host.h"
#include "rt.h"

#define PAGE 4096ull
#define PAGES (CTN_SHADOW_SIZE / PAGE)
#define LIST_LIMIT (1u << 24)
#define KEPT_LIMIT (1u << 20)
#define SEARCH_LIMIT (1u << 21)

RT_KEEP uintptr_t __ctn_stack_low = UINTPTR_MAX;

RT_KEEP static uint8_t *dirty;        /* a bit per page of the shadow */
RT_KEEP static uint64_t *list;        /* dirty pages */
RT_KEEP static uint32_t list_count;
RT_KEEP static uint64_t unlisted, unlisted_bytes; /* addresses of which the pages are not listed */
RT_KEEP static uint64_t *kept_pages;  /* sorted: pages that a reset restores, not clears */
RT_KEEP static uint8_t *kept_bytes;
RT_KEEP static uint32_t kept_count;
RT_KEEP static rt_global *globals;    /* of all units, sorted by address */
RT_KEEP static uint32_t global_count;

static void *reserve(void *at, uint64_t size)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED_NOREPLACE : 0);
    void *p = mmap(at, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (p == MAP_FAILED || (at && p != at))
        host_fail("cannot reserve the shadow memory", " (strict overcommit, a memory limit, or an old address layout)");
    return p;
}

void rt_shadow_start(void)
{
    if (dirty) return;
    reserve((void *)CTN_SHADOW_BASE, CTN_SHADOW_SIZE + CTN_SHADOW_NEAR);
    /* All of it alike, or it is two mappings, and every fork copies each. */
    madvise((void *)CTN_SHADOW_BASE, CTN_SHADOW_SIZE + CTN_SHADOW_NEAR, MADV_NOHUGEPAGE);
    madvise((void *)CTN_SHADOW_BASE, CTN_SHADOW_SIZE + CTN_SHADOW_NEAR, MADV_DONTDUMP);
    list = reserve(0, LIST_LIMIT * sizeof *list);
    dirty = reserve(0, PAGES / 8);
}

static inline uint64_t page_of(const uint32_t *s) { return ((uint64_t)s - CTN_SHADOW_BASE) / PAGE; }

static inline void mark(uint64_t page)
{
    if (!dirty || dirty[page / 8] & 1u << page % 8) return;
    dirty[page / 8] |= (uint8_t)(1u << page % 8);
    if (list_count < LIST_LIMIT) list[list_count++] = page;
}

/* What is so only in part is listed: a block that outgrows the heap's room, which is then set back as a whole. */
static inline int is_unlisted(const void *p, uint64_t n)
{
    uint64_t offset = (uint64_t)p - unlisted;
    return offset < unlisted_bytes && n <= unlisted_bytes - offset;
}

static inline void mark_range(const void *p, uint64_t n)
{
    if (!n || is_unlisted(p, n)) return;
    uint64_t first = page_of(rt_shadow(p)), last = page_of(rt_shadow(p) + n - 1);
    for (uint64_t page = first; page <= last && page < PAGES; page++) mark(page);
}

static void clear_page(uint64_t page)
{
    uint32_t low = 0, high = kept_count;
    uint8_t *at = (uint8_t *)(CTN_SHADOW_BASE + page * PAGE);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (kept_pages[middle] < page) low = middle + 1;
        else high = middle;
    }
    if (low < kept_count && kept_pages[low] == page) __builtin_memcpy(at, kept_bytes + low * PAGE, PAGE);
    else __builtin_memset(at, 0, PAGE);
}

/* Zero a range that may be large and mostly untouched: whole pages go back to the kernel. */
static void clear_range(uint64_t from, uint64_t to)
{
    if (to - from < 64 * PAGE) {
        __builtin_memset((void *)from, 0, to - from);
        return;
    }
    uint64_t first = (from + PAGE - 1) & ~(PAGE - 1), last = to & ~(PAGE - 1);
    __builtin_memset((void *)from, 0, first - from);
    madvise((void *)first, last - first, MADV_DONTNEED);
    __builtin_memset((void *)last, 0, to - last);
}

static void clear_stack(void)
{
    uint64_t low = __ctn_stack_low, top = HOST_STACK_BASE + HOST_STACK_SIZE;
    if (low < HOST_STACK_BASE || low > top) top = (uint64_t)__builtin_frame_address(0);
    if (low < top && top - low <= HOST_STACK_SIZE)
        clear_range((uint64_t)rt_shadow((void *)low), (uint64_t)rt_shadow((void *)(top - 1)) + 4);
    __ctn_stack_low = UINTPTR_MAX;
}

void rt_shadow_reset(void)
{
    clear_stack();
    for (uint32_t i = 0; i < list_count; i++) {
        uint64_t page = list[i];
        clear_page(page);
        dirty[page / 8] &= (uint8_t)~(1u << page % 8);
    }
    list_count = 0;
}

#define SHELL_SORT(type, v, n, key)                                              \
    for (uint32_t gap = (n) / 2; gap; gap /= 2)                                  \
        for (uint32_t i = gap; i < (n); i++) {                                   \
            type value = (v)[i];                                                 \
            uint32_t j = i;                                                      \
            for (; j >= gap && (v)[j - gap] key > value key; j -= gap) (v)[j] = (v)[j - gap]; \
            (v)[j] = value;                                                      \
        }

static void collect_globals(void)
{
    uint64_t count = 0;
    for (unsigned u = 0; u < rt_unit_count; u++) count += rt_units[u]->global_count;
    if (!count || globals) return;
    globals = reserve(0, count * sizeof *globals);
    for (unsigned u = 0; u < rt_unit_count; u++)
        for (uint32_t g = 0; g < rt_units[u]->global_count; g++) globals[global_count++] = rt_units[u]->globals[g];
    SHELL_SORT(rt_global, globals, global_count, .base)
    /* Units share common symbols: the largest of them is the object. */
    uint32_t kept = 0;
    for (uint32_t g = 1; g < global_count; g++) {
        if (globals[g].base != globals[kept].base) globals[++kept] = globals[g];
        else if (globals[g].size > globals[kept].size) globals[kept] = globals[g];
    }
    global_count = kept + 1;
}

void rt_shadow_keep(void)
{
    collect_globals();
    for (uint32_t g = 0; g < global_count; g++) {
        const rt_global *global = &globals[g];
        rt_poison((char *)global->base + global->size, global->padded - global->size, CTN_GLOBAL_REDZONE);
    }
    if (rt_header->flags & CTN_FLAG_FORK) {
        /* What a server has written every fork has to copy. */
        munmap(list, LIST_LIMIT * sizeof *list);
        munmap(dirty, PAGES / 8);
        list = 0;
        dirty = 0;
        list_count = 0;
        return;
    }
    if (!list_count || list_count > KEPT_LIMIT) return;
    kept_pages = reserve(0, list_count * sizeof *kept_pages);
    kept_bytes = reserve(0, list_count * PAGE);
    SHELL_SORT(uint64_t, list, list_count, )
    for (uint32_t i = 0; i < list_count; i++) {
        uint64_t page = list[i];
        kept_pages[i] = page;
        __builtin_memcpy(kept_bytes + i * PAGE, (void *)(CTN_SHADOW_BASE + page * PAGE), PAGE);
        dirty[page / 8] &= (uint8_t)~(1u << page % 8);
    }
    kept_count = list_count;
    list_count = 0;
}

typedef uint32_t __attribute__((vector_size(16), aligned(4), may_alias)) quad;

/* Most ranges are a few words long. The last two stores may overlap. */
static inline void fill(uint32_t *s, uint64_t n, uint32_t code)
{
    quad value = {code, code, code, code};
    if (n < 4) {
        for (uint64_t i = 0; i < n; i++) s[i] = code;
        return;
    }
#pragma clang loop vectorize(disable) unroll(disable)
    for (uint64_t i = 0; i < n - 4; i += 4) *(quad *)(s + i) = value;
    *(quad *)(s + n - 4) = value;
}

void rt_poison(const void *p, uint64_t n, uint32_t code)
{
    mark_range(p, n);
    fill(rt_shadow(p), n, code);
}

void host_shadow_unlist(uint64_t from, uint64_t to)
{
    if (rt_header->flags & CTN_FLAG_FORK) return;
    unlisted = from;
    unlisted_bytes = to - from;
}

/* Reading first keeps untouched pages of the shadow untouched. */
void rt_unpoison(const void *p, uint64_t n)
{
    uint32_t *s = rt_shadow(p), *end = s + n;
    while (s < end) {
        uint64_t page = page_of(s);
        uint32_t *next = (uint32_t *)(CTN_SHADOW_BASE + (page + 1) * PAGE);
        if (next > end) next = end;
        uint32_t any = 0;
        for (const uint32_t *q = s; q < next; q++) any |= *q;
        if (any) {
            if (!is_unlisted(p, n)) mark(page);
            __builtin_memset(s, 0, (uint64_t)((char *)next - (char *)s));
        }
        s = next;
    }
}

void rt_label_bytes(const void *p, uint32_t node, unsigned bytes)
{
    uint32_t *s = rt_shadow(p);
    mark_range(p, bytes);
    for (unsigned i = 0; i < bytes; i++) s[i] = node ? node << 3 | i : 0;
}

void rt_label_elements(const void *p, uint32_t first, unsigned bytes, uint64_t count)
{
    uint32_t *s = rt_shadow(p);
    mark_range(p, bytes * count);
    for (uint32_t node = first; count--; node++)
        for (unsigned i = 0; i < bytes; i++) *s++ = node << 3 | i;
}

void rt_copy_labels(void *to, const void *from, uint64_t n)
{
    mark_range(to, n);
    __builtin_memmove(rt_shadow(to), rt_shadow(from), n * 4);
}

/* --- objects ------------------------------------------------------------------------------------------ */

const rt_global *rt_global_at(uint64_t p)
{
    uint32_t low = 0, high = global_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if ((uint64_t)globals[middle].base <= p) low = middle + 1;
        else high = middle;
    }
    const rt_global *global = low ? &globals[low - 1] : 0;
    return global && p - (uint64_t)global->base < global->size ? global : 0;
}

/* Stack objects have redzones on both sides; how far to look is bounded. */
static int stack_object(const void *p, uint64_t *base, uint64_t *size)
{
    const uint32_t *at = rt_shadow(p), *low = at, *high = at;
    uint64_t index = (uint64_t)p & CTN_SHADOW_MASK;
    /* At its ends, null among them, there is no stack, and no shadow to search. */
    if (index <= SEARCH_LIMIT || CTN_SHADOW_MASK - index <= SEARCH_LIMIT) return 0;
    if (*at >= CTN_POISON_FIRST) return 0;
    while (low[-1] < CTN_POISON_FIRST)
        if (at - --low > SEARCH_LIMIT) return 0;
    while (high[1] < CTN_POISON_FIRST)
        if (++high - at > SEARCH_LIMIT) return 0;
    if (low[-1] != CTN_STACK_REDZONE || high[1] != CTN_STACK_REDZONE) return 0;
    *base = (uint64_t)p - (uint64_t)(at - low);
    *size = (uint64_t)(high - low) + 1;
    return 1;
}

int rt_object(const void *p, uint64_t *base, uint64_t *size)
{
    int freed = 0;
    if (rt_arena_block(p, base, size, &freed)) return !freed && (uint64_t)p - *base < *size;
    const rt_global *global = rt_global_at((uint64_t)p);
    if (!global) return stack_object(p, base, size);
    *base = (uint64_t)global->base;
    *size = global->size;
    return 1;
}
