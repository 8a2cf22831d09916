/* Redzones of stack objects whose size is known only at run time. Ordinary frames are
 * handled by inline code; what non-local jumps leave behind is cleared where the jump is made. */
#include "cold.h"
#include "rt.h"

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
