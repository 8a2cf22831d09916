/* The heap of the unit under test: every allocation of the process comes from here (through heap.c), the C
 * library's own included, at addresses that depend on nothing but the execution. Blocks are laid one after another with
 * poisoned bytes between them and described in a table beside the heap, where stray writes do not reach it.
 * Everything that is no block is poisoned up to the end of the last chunk; beyond it nothing is mapped. A
 * freed block stays poisoned; its memory is given out again only when much has been allocated. Memory is zero
 * when given out. */
#define _GNU_SOURCE
#include "host.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ARENA_SIZE  (1ull << 39)
#define TABLE_BASE  0x420000000000ull /* up to the guard of the stack, which lies below the heap */
#define TABLE_SIZE  (1ull << 33)
#define MAX_BLOCKS  (TABLE_SIZE / sizeof(block))
#define REDZONE     16ull
#define CHUNK       (16ull << 10) /* the heap grows by these */
#define ROOM        (64ull << 10) /* accessible from the start where one process runs many executions */
#define LARGE       (1ull << 20)  /* freed blocks of this size are made inaccessible, not poisoned */
#define CLASSES     48
#define DEFAULT_LIMIT (256ull << 20)

enum { LIVE = 1, FREED = 2 };

typedef struct {
    uint64_t base;      /* first byte of the user's memory */
    uint64_t size;      /* as asked for */
    uint64_t capacity;  /* room until the right redzone */
    uint32_t state;
    uint32_t next_freed; /* of the same class; index + 1 */
} block;

static block *const blocks = (block *)TABLE_BASE;

/* All of this is set back by rt_arena_reset, except the mark. */
RT_KEEP static int ready;
RT_KEEP_TOGETHER static uint64_t end;    /* accessible, and poisoned where no block is, up to here */
RT_KEEP static uint64_t top;             /* next free address */
RT_KEEP static uint64_t marked_top, marked_end; /* the same at the mark */
RT_KEEP static uint32_t count, marked_count;
RT_KEEP static uint64_t live, marked_live;     /* bytes */
RT_KEEP static uint32_t freed_lists[CLASSES];
RT_KEEP static int hidden;                     /* pages of freed blocks are inaccessible */
RT_KEEP static int marked_freed;               /* blocks from before the mark are freed */

void rt_arena_start(void)
{
    if (ready)
        return;
    ready = 1;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    void *arena = mmap((void *)CTN_ARENA_BASE, ARENA_SIZE, PROT_NONE, flags, -1, 0);
    void *table = mmap((void *)TABLE_BASE, TABLE_SIZE, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (arena != (void *)CTN_ARENA_BASE || table != (void *)TABLE_BASE)
        host_fail("cannot map the heap", "");
    top = end = CTN_ARENA_BASE;
}

/* Makes the heap accessible up to address to; what is new is not yet poisoned. */
static int grow(uint64_t to)
{
    uint64_t new_end = (to + CHUNK - 1) & ~(CHUNK - 1);
    if (new_end > CTN_ARENA_BASE + ARENA_SIZE)
        return 0;
    if (mprotect((void *)end, new_end - end, PROT_READ | PROT_WRITE) != 0)
        return 0;
    end = new_end;
    return 1;
}

void host_arena_mark(void)
{
    /* Its own page, so that a reset clears nothing that start-up allocated; and room that most executions
     * do not outgrow, so that a reset is mere copying. Poison that is forked costs more than it saves. */
    top = (top + 4095) & ~4095ull;
    uint64_t from = end;
    if (!grow(top + (rt_header->flags & CTN_FLAG_FORK ? CHUNK : ROOM)))
        host_fail("cannot map the heap", "");
    host_shadow_unlist(top, end);
    rt_poison((void *)from, end - from, CTN_HEAP_REDZONE);
    marked_top = top;
    marked_end = end;
    marked_count = count;
    marked_live = live;
}

uint64_t host_arena_kept(void) { return marked_top - CTN_ARENA_BASE; }

/* Start-up blocks that the execution freed or wrote come back with the snapshot, their descriptors here:
 * freeing is the only change a descriptor of them can see. */
void rt_arena_reset(void)
{
    for (unsigned c = 0; c < CLASSES; c++)
        freed_lists[c] = 0;
    for (uint32_t i = 0; marked_freed && i < marked_count; i++)
        if (blocks[i].state == (FREED | LIVE))
            blocks[i].state = LIVE;
    marked_freed = 0;
    if (end > marked_end) {
        madvise((void *)marked_end, end - marked_end, MADV_DONTNEED);
        mprotect((void *)marked_end, end - marked_end, PROT_NONE);
    }
    if (hidden)
        mprotect((void *)marked_top, marked_end - marked_top, PROT_READ | PROT_WRITE);
    hidden = 0;
    /* Stray writes of code that is not instrumented may go beyond the last block. */
    uint64_t used = top < marked_end - REDZONE ? top + REDZONE : marked_end;
    memset((void *)marked_top, 0, used - marked_top);
    rt_poison((void *)marked_top, used - marked_top, CTN_HEAP_REDZONE);
    top = marked_top;
    end = marked_end;
    count = marked_count;
    live = marked_live;
}

/* --- finding blocks ------------------------------------------------------------------------------------ */

/* The index of the block that starts at an address, unless a later one has taken the place: freeing most blocks
 * needs no search. Two blocks are never closer than 32 bytes. What stands there is believed if the block agrees. */
#define NUMBERS (1u << 16)
RT_KEEP_TABLE static uint32_t numbers[NUMBERS];

static uint32_t *number_of(uint64_t base) { return &numbers[base / (2 * REDZONE) % NUMBERS]; }

/* The block whose memory or redzones hold the address. Bases grow with the index. */
static block *block_at(uint64_t address)
{
    uint32_t low = 0, high_index = count;
    while (low < high_index) {
        uint32_t middle = low + (high_index - low) / 2;
        if (blocks[middle].base - REDZONE <= address)
            low = middle + 1;
        else
            high_index = middle;
    }
    if (low == 0)
        return 0;
    block *b = &blocks[low - 1];
    return address < b->base + b->capacity + REDZONE ? b : 0;
}

int rt_arena_block(const void *p, uint64_t *base, uint64_t *size, int *freed)
{
    uint64_t address = (uint64_t)p;
    if (address < CTN_ARENA_BASE || address >= top)
        return 0;
    block *b = block_at(address);
    if (!b)
        return 0;
    *base = b->base;
    *size = b->size;
    *freed = b->state != LIVE;
    return 1;
}

/* --- allocating and freeing ---------------------------------------------------------------------------- */

static unsigned class_of(uint64_t capacity)
{
    unsigned c = 63 - (unsigned)__builtin_clzll(capacity | 1);
    return c < CLASSES ? c : CLASSES - 1;
}

static uint64_t limit(void)
{
    uint64_t set = rt_header ? rt_header->heap_limit : 0;
    return set ? set : DEFAULT_LIMIT;
}

/* The whole pages inside a block. */
static void inner_pages(const block *b, uint64_t *from, uint64_t *bytes)
{
    *from = (b->base + 4095) & ~4095ull;
    *bytes = ((b->base + b->capacity) & ~4095ull) - *from;
}

/* Memory is short: a freed block of the next larger class always has room. */
static block *reuse(uint64_t need, uint64_t align, uint64_t size)
{
    if (align > REDZONE)
        return 0;
    unsigned c = class_of(need) + 1;
    if (c >= CLASSES || !freed_lists[c])
        return 0;
    block *b = &blocks[freed_lists[c] - 1];
    freed_lists[c] = b->next_freed;
    if (b->capacity >= LARGE) {
        uint64_t from, bytes;
        inner_pages(b, &from, &bytes);
        mprotect((void *)from, bytes, PROT_READ | PROT_WRITE);
    }
    memset((void *)b->base, 0, b->capacity);
    rt_unpoison((void *)b->base, size);
    rt_poison((void *)(b->base + size), b->capacity - size, CTN_HEAP_REDZONE);
    return b;
}

/* The right redzone of a block is the left one of the next. */
static block *append(uint64_t need, uint64_t align, uint64_t size)
{
    if (align < REDZONE)
        align = REDZONE;
    uint64_t base = (top + REDZONE + align - 1) & ~(align - 1), old_end = end;
    if (count == MAX_BLOCKS || base + need < base)
        return 0;
    if (base + need + REDZONE > end && !grow(base + need + REDZONE))
        return 0;
    *number_of(base) = count;
    block *b = &blocks[count++];
    b->base = base;
    b->capacity = need;
    top = base + need;
    /* Poison what was accessible before and is the block's now goes, what is new and not the block's comes. */
    uint64_t last = base + size;
    if (base < old_end)
        rt_poison((void *)base, (last < old_end ? last : old_end) - base, 0);
    else
        rt_poison((void *)old_end, base - old_end, CTN_HEAP_REDZONE);
    uint64_t from = last > old_end ? last : old_end;
    if (from < end)
        rt_poison((void *)from, end - from, CTN_HEAP_REDZONE);
    return b;
}

void *rt_alloc(uint64_t size, uint64_t align, int zero)
{
    (void)zero; /* always */
    if (!ready)
        host_start();
    if (size > limit()) {
        errno = ENOMEM;
        return 0;
    }
    if (live + size > limit()) {
        if (host_running) {
            host_text("the unit holds more memory than its limit");
            rt_end(CTN_END_OUT_OF_MEMORY, 0, 0, 0, 0, 0);
        }
        errno = ENOMEM;
        return 0;
    }
    uint64_t need = (size + REDZONE - 1) & ~(REDZONE - 1);
    if (!need)
        need = REDZONE; /* distinct addresses for empty blocks */
    block *b = 0;
    if (top - marked_top > limit())
        b = reuse(need, align, size);
    if (!b)
        b = append(need, align, size);
    if (!b) {
        errno = ENOMEM;
        return 0;
    }
    b->size = size;
    b->state = LIVE;
    live += size;
    return (void *)b->base;
}

static __attribute__((noreturn)) void bad_free(uint32_t class, const char *text, const void *p)
{
    host_text(text);
    rt_end(CTN_END_VIOLATION, (int32_t)class, 0, 0, 0, (uint64_t)p);
}

static block *block_from(uint64_t p)
{
    uint32_t index = *number_of(p);
    return index < count && blocks[index].base == p ? &blocks[index] : block_at(p);
}

/* The block that starts at p, live, or the end of the execution. */
static block *owned(const void *p)
{
    block *b = (uint64_t)p >= CTN_ARENA_BASE && (uint64_t)p < top ? block_from((uint64_t)p) : 0;
    if (!b || b->base != (uint64_t)p) {
        if (!host_running)
            return 0;
        bad_free(CTN_CLASS_OTHER, "free of a pointer that malloc did not return", p);
    }
    if (b->state != LIVE)
        bad_free(CTN_CLASS_DOUBLE_FREE, "free of memory that is freed already", p);
    return b;
}

static void release(block *b)
{
    uint32_t index = (uint32_t)(b - blocks);
    live -= b->size;
    if (index < marked_count) {
        rt_poison((void *)b->base, b->size, CTN_HEAP_FREED);
        b->state = FREED | LIVE;
        marked_freed = 1;
        return;
    }
    b->state = FREED;
    if (b->capacity < LARGE) {
        rt_poison((void *)b->base, b->size, CTN_HEAP_FREED);
    } else {
        uint64_t from, bytes;
        int saved = errno;
        inner_pages(b, &from, &bytes);
        rt_poison((void *)b->base, from - b->base, CTN_HEAP_FREED);
        madvise((void *)from, bytes, MADV_DONTNEED);
        mprotect((void *)from, bytes, PROT_NONE);
        errno = saved; /* free leaves it as it is */
        hidden = 1;
        if (from + bytes < b->base + b->size)
            rt_poison((void *)(from + bytes), b->base + b->size - from - bytes, CTN_HEAP_FREED);
    }
    unsigned c = class_of(b->capacity);
    b->next_freed = freed_lists[c];
    freed_lists[c] = index + 1;
}

/* Faults of memory that is made inaccessible rather than poisoned. */
uint32_t host_arena_fault(uint64_t address)
{
    if (address < CTN_ARENA_BASE || address >= CTN_ARENA_BASE + ARENA_SIZE)
        return 0;
    const block *b = block_at(address);
    return b && b->state != LIVE ? CTN_CLASS_USE_AFTER_FREE : CTN_CLASS_OUT_OF_BOUNDS;
}

void host_free(void *p)
{
    block *b = owned(p);
    if (b)
        release(b);
}

int host_block_size(const void *p, uint64_t *size)
{
    const block *b = owned(p);
    if (b)
        *size = b->size;
    return b != 0;
}
