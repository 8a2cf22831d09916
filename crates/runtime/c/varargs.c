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
