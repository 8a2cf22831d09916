/* Redzones of stack objects whose size is known only at run time, and what non-local jumps leave behind.
 * Ordinary frames are handled by inline code. */
#include "cold.h"
#include "rt.h"

#define JUMP_BUFFERS 256u

/* Buffers that a setjmp of this execution filled, with the stack pointer they return to. */
static struct { const void *buffer; uintptr_t stack; } jumps[JUMP_BUFFERS];
static unsigned jump_count;

void __ctn_clear_call(const void *p, uint64_t n) { rt_unpoison(p, n); }

void __ctn_poison_dynamic_call(const void *p, uint64_t left, uint64_t n, uint64_t right)
{
    const char *at = p;
    rt_poison(at, left, CTN_STACK_REDZONE);
    rt_unpoison(at + left, n);
    rt_poison(at + left + n, right, CTN_STACK_REDZONE);
    if ((uintptr_t)p < __ctn_stack_low) __ctn_stack_low = (uintptr_t)p;
}

void __ctn_clear_stack_call(const void *from, const void *to)
{
    if (from < to) rt_unpoison(from, (uint64_t)((const char *)to - (const char *)from));
}

void __ctn_setjmp_note_call(const void *buffer)
{
    uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
    unsigned i = 0;
    while (i < jump_count && jumps[i].buffer != buffer) i++;
    if (i == JUMP_BUFFERS) i = 0;
    jumps[i].buffer = buffer;
    jumps[i].stack = stack;
    if (i == jump_count) jump_count++;
}

int rt_setjmp_known(const void *buffer)
{
    for (unsigned i = 0; i < jump_count; i++)
        if (jumps[i].buffer == buffer) {
            __ctn_clear_stack_call(__builtin_frame_address(0), (const void *)jumps[i].stack);
            return 1;
        }
    return 0;
}
