/* Labels of variable arguments: the caller leaves them by register or stack slot (System V, x86-64), the
 * callee spreads them over the save area and the stack when it starts its list. */
#include "cold.h"
#include "rt.h"

#define GENERAL_BYTES 48
#define SLOTS 32u

typedef struct { uint32_t general_offset, floating_offset; char *overflow; char *save; } list;

__thread ctn_va __ctn_va_args;

static void set(char *at, uint32_t label)
{
    rt_unpoison(at, 8);
    if (label) rt_label_bytes(at, label, (rt_node_at(label)->bits + 7u) / 8);
}

static uint32_t value_at(const char *at, unsigned n)
{
    const uint32_t *labels = rt_shadow(at);
    uint32_t any = 0;
    for (unsigned i = 0; i < n; i++) {
        if (labels[i] >= CTN_POISON_FIRST) return 0;
        any |= labels[i];
    }
    return any ? rt_value_of(labels, (const uint8_t *)at, n) : 0;
}

uint32_t __ctn_va_pass_bytes_call(uint32_t slot, const void *from, uint64_t n)
{
    uint32_t any = 0;
    for (uint64_t done = 0; done < n && slot < SLOTS; done += 8, slot++) {
        uint32_t label = value_at((const char *)from + done, n - done < 8 ? (unsigned)(n - done) : 8);
        __ctn_va_args.memory[slot] = label;
        any |= label;
    }
    return any;
}

/* On entry, before another call can overwrite them; callers that are not instrumented leave none. */
void __ctn_va_save_call(ctn_va *saved)
{
    *saved = __ctn_va_args;
    __builtin_memset(&__ctn_va_args, 0, sizeof __ctn_va_args);
}

void __ctn_va_start_call(void *list_address, const ctn_va *saved)
{
    list *va = list_address;
    rt_unpoison(va, sizeof *va);
    unsigned general = va->general_offset / 8;
    for (unsigned i = general; i < 6; i++) set(va->save + i * 8, saved->any ? saved->general[i] : 0);
    /* The save area has room for vector registers only if the function was compiled to use them. */
    if (va->floating_offset >= GENERAL_BYTES)
        for (unsigned i = (va->floating_offset - GENERAL_BYTES) / 16; i < 8; i++)
            set(va->save + GENERAL_BYTES + i * 16, saved->any ? saved->floating[i] : 0);
    for (unsigned i = 0; i < saved->memory_slots && i < SLOTS; i++)
        set(va->overflow + i * 8, saved->any ? saved->memory[i] : 0);
}

void __ctn_va_copy_call(void *to, const void *from)
{
    (void)from;
    rt_unpoison(to, sizeof(list));
}
