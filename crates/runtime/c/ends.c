/* Memory that ends where an input says: a driver makes a buffer and its length, and what lies behind is poisoned
 * for the length that this execution has. The checks that are logged here, one for each byte that is reached
 * first, let the search ask for a shorter one. */
#include "rt.h"

#define MAX_ENDS 32u

typedef struct {
    uint64_t base, size; /* the block */
    uint64_t used;       /* in this execution */
    uint64_t reached;    /* accesses at known addresses got so far */
    uint32_t label;      /* of used */
} ended;

RT_KEEP_TABLE static ended ends[MAX_ENDS];
RT_KEEP static uint32_t count;
RT_KEEP static uint64_t execution;

static ended *find(uint64_t p)
{
    if (!count || execution != rt_header->executions) return 0;
    for (uint32_t i = 0; i < count; i++)
        if (p - ends[i].base < ends[i].size) return &ends[i];
    return 0;
}

void rt_end_at(void *p, uint64_t size, uint64_t used, uint32_t label)
{
    if (execution != rt_header->executions) {
        execution = rt_header->executions;
        count = 0;
    }
    if (used < size) rt_poison((char *)p + used, size - used, CTN_HEAP_REDZONE);
    if (count < MAX_ENDS) ends[count++] = (ended){(uint64_t)p, size, used < size ? used : size, 0, label};
}

uint64_t rt_end_of(uint64_t base, uint64_t size)
{
    const ended *e = find(base);
    return e && e->used < size ? e->used : size;
}

void rt_end_forget(const void *p)
{
    ended *e = find((uint64_t)p);
    if (e) *e = ends[--count];
}

void rt_check_end(const void *p, uint64_t n, uint32_t lp, uint32_t ln, uint64_t where)
{
    ended *e = find((uint64_t)p);
    if (!e || !e->label || !rt_check_wanted(CTN_CLASS_OUT_OF_BOUNDS)) return;
    uint64_t offset = (uint64_t)p - e->base, last = offset + n;
    uint32_t behind = 0;
    if (lp || ln) {
        uint32_t first = lp ? rt_node(CTN_OP_SUB, 0, 64, lp, 0, 0, 0, e->base) : 0;
        behind = rt_node(CTN_OP_ADD, 0, 64, first, ln, 0, first ? 0 : offset, ln ? 0 : n);
        if (!behind) return;
    } else if (last <= e->reached) {
        return; /* what was reached before is not behind the end */
    } else {
        e->reached = last;
    }
    uint32_t outside = rt_node(CTN_OP_ULT, 0, 1, e->label, behind, 64, 0, behind ? 0 : last);
    rt_check(CTN_CLASS_OUT_OF_BOUNDS, outside, n > e->size || e->used < last, where);
}
