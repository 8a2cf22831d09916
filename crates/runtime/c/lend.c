/* Memory that is lent to code without instrumentation, a library's: it writes without telling. What it changed
 * is concrete from then on; if it changed what lies behind the object, the object was overrun. Looked at is the
 * part of the object from the pointer on, at most LENT_BYTES of it. */
#include "cold.h"
#include "host.h"
#include "rt.h"

#define LENT_BYTES 1024u
#define MAX_LENT   16u
#define BEHIND     16u
#define CANARY     0x5a

typedef struct {
    uint8_t *at;
    uint32_t length; /* up to the last byte with a label */
    uint32_t behind; /* bytes of the redzone that are watched, 0: it is too far away */
    uint32_t poison; /* what the redzone is marked with */
    uint32_t room;   /* where it begins */
    uint32_t labels[LENT_BYTES];
    uint8_t bytes[LENT_BYTES];
    uint8_t redzone[BEHIND];
} lent;

RT_KEEP_TABLE static lent records[MAX_LENT];
RT_KEEP static uint32_t count;
RT_KEEP static uint64_t execution;

/* Constants may lie behind a global. */
static int may_write(const lent *l) { return l->poison == CTN_STACK_REDZONE || l->poison == CTN_HEAP_REDZONE; }

uint32_t __ctn_lend_call(const void *p)
{
    if (!rt_header)
        return ~0u;
    if (execution != rt_header->executions) {
        execution = rt_header->executions;
        count = 0;
    }
    uint32_t token = count;
    const uint32_t *shadow = rt_shadow(p);
    if (count == MAX_LENT || (uint64_t)p < 4096 || *shadow >= CTN_POISON_FIRST)
        return token;
    lent *l = &records[count];
    uint32_t n = 0;
    l->length = l->behind = 0;
    for (; n < LENT_BYTES && shadow[n] < CTN_POISON_FIRST; n++)
        if (shadow[n])
            l->length = n + 1;
    if (n < LENT_BYTES) {
        l->poison = shadow[n];
        while (l->behind < BEHIND && shadow[n + l->behind] == l->poison)
            l->behind++;
    }
    if (!l->length && !l->behind)
        return token;
    count++;
    l->at = (uint8_t *)(uintptr_t)p;
    for (uint32_t i = 0; i < l->length; i++) {
        l->labels[i] = shadow[i];
        l->bytes[i] = l->at[i];
    }
    if (l->behind) {
        uint8_t *redzone = l->at + n;
        for (uint32_t i = 0; i < l->behind; i++)
            l->redzone[i] = redzone[i];
        if (may_write(l))
            redzone[0] = CANARY;
        l->room = n;
    }
    return token;
}

/* A byte was changed: so was the whole value, even where the new one has equal bytes. */
static void forget(const lent *l, uint32_t changed)
{
    uint32_t first = changed, last = changed, node = l->labels[changed] >> 3;
    while (first > 0 && l->labels[first - 1] >> 3 == node)
        first--;
    while (last + 1 < l->length && l->labels[last + 1] >> 3 == node)
        last++;
    rt_unpoison(l->at + first, last - first + 1);
}

/* Whether the bytes behind the object are not what they were. */
static int overrun(lent *l)
{
    uint8_t *redzone = l->at + l->room;
    if (rt_shadow(redzone)[0] != l->poison)
        return 0;
    int changed = redzone[0] != (may_write(l) ? CANARY : l->redzone[0]);
    for (uint32_t i = 1; i < l->behind; i++)
        changed |= redzone[i] != l->redzone[i];
    if (may_write(l))
        redzone[0] = l->redzone[0];
    return changed;
}

void __ctn_take_back_call(uint32_t token, uint64_t where)
{
    int lost = 0, broken = 0;
    if (execution != rt_header->executions)
        return;
    while (count > token) {
        lent *l = &records[--count];
        const uint32_t *shadow = rt_shadow(l->at);
        if (*shadow >= CTN_POISON_FIRST)
            continue; /* freed meanwhile */
        for (uint32_t i = 0; i < l->length; i++)
            if (l->at[i] != l->bytes[i] && l->labels[i] && shadow[i] == l->labels[i]) {
                forget(l, i);
                lost = 1;
            }
        broken |= l->behind && overrun(l);
    }
    if (lost)
        __ctn_lost_cold(CTN_CONC_EXTERNAL_ARGUMENT, where);
    if (broken && rt_check_wanted(CTN_CLASS_OUT_OF_BOUNDS))
        __ctn_violation(CTN_CLASS_OUT_OF_BOUNDS, where, 0);
}
