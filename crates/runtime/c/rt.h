/* What the parts of the runtime share. The runtime is linked into the tested program; it uses no libc
 * function that allocates, locks or keeps state, and nothing of it is instrumented. */
#ifndef CTN_RT_H
#define CTN_RT_H

#include "ctn.h"
#include "wire.h"

#define RT_COLD __attribute__((cold, noinline))
/* State that survives the reset between executions. Everything else in .data and .bss is restored. */
#define RT_KEEP __attribute__((section(".ctn_keep.runtime")))
/* On the first of them: all lie in one page, since a forked execution copies every page that it writes to. */
#define RT_KEEP_TOGETHER __attribute__((section(".ctn_keep.runtime"), aligned(1024)))
/* The same for what is large: apart, so that what executions write lies on few pages, which a fork copies. */
#define RT_KEEP_TABLE __attribute__((section(".ctn_keep.tables")))

/* --- server.c: set-up, fork server, persistent worker, endings ------------------------------------ */
/* The shared memory, mapped at CTN_SHM_BASE. Of the same image, so that no table says where it is. */
extern __attribute__((visibility("hidden"))) ctn_header *rt_header;
/* Ends the execution. Never returns; in a persistent worker control goes back to its loop. */
__attribute__((noreturn)) void rt_end(uint32_t end, int32_t value, uint32_t tu, uint32_t site, uint64_t pc,
                                      uint64_t address);

/* A global variable with its redzone, as the instrumenter lays it out. */
typedef struct { void *base; uint64_t size; uint64_t padded; uint32_t is_const; uint32_t reserved; } rt_global;

/* One per instrumented translation unit, handed over by a constructor that the instrumenter emits. */
typedef struct rt_unit {
    uint32_t tu;
    uint32_t function_count;
    uint8_t *modes;        /* function_count bytes, section .ctn_keep */
    uint32_t counter_count;
    uint8_t *covered;      /* counter_count bytes, section .ctn_keep */
    const rt_global *globals;
    uint32_t global_count;
} rt_unit;
void __ctn_register_unit(const rt_unit *unit);
extern const rt_unit *rt_units[];
extern unsigned rt_unit_count;

/* --- labels.c: expression table, path log --------------------------------------------------------- */
void rt_labels_start(void);            /* once per process: find the regions */
void rt_labels_reset(void);            /* before each execution: empty table and log */
uint32_t rt_node(uint8_t op, uint8_t sub, uint16_t bits, uint32_t a, uint32_t b, uint32_t c, uint64_t x, uint64_t y);
const ctn_node *rt_node_at(uint32_t label);
/* How often this was called for a site (tu << 32 | site) in this execution, this time included. */
uint32_t rt_repeats(uint64_t where);
void rt_log(uint16_t kind, uint16_t aux, uint32_t tu, uint32_t site, uint32_t label, uint64_t value);

/* --- checks.c: faults to look for ------------------------------------------------------------------- */
int rt_check_wanted(uint32_t class);   /* by the header's flags and mask */
/* Logs a check; `where` is tu << 32 | site. Label 0 (nothing symbolic) logs nothing. */
void rt_check(uint32_t class, uint32_t label, uint32_t violated, uint64_t where);
/* Whether this index of an array was the last to be checked, and the number of elements then. */
int rt_index_checked(uint32_t index, uint64_t *count);

/* --- shadow.c: a memory label per byte ------------------------------------------------------------- */
static inline uint32_t *rt_shadow(const void *p)
{
    return (uint32_t *)((((uint64_t)p & CTN_SHADOW_MASK) << 2) + CTN_SHADOW_BASE);
}
void rt_shadow_start(void);            /* once per process: map it */
void rt_shadow_reset(void);            /* clear every page that an execution wrote labels or poison to */
void rt_shadow_keep(void);             /* what is set now (globals' redzones) is the state that reset restores */
void rt_poison(const void *p, uint64_t n, uint32_t code);
void rt_unpoison(const void *p, uint64_t n);  /* zero labels */
void rt_label_bytes(const void *p, uint32_t node, unsigned bytes); /* bytes of a node, 1..8, little-endian */
/* The same for an array of which each element has the node after that of the one before. */
void rt_label_elements(const void *p, uint32_t first, unsigned bytes, uint64_t count);
void rt_copy_labels(void *to, const void *from, uint64_t n);       /* overlapping allowed */
/* The global (with its redzone) that p lies in, or 0. */
const rt_global *rt_global_at(uint64_t p);
/* The object that address p lies in, by redzones and tables; 0 if unknown. */
int rt_object(const void *p, uint64_t *base, uint64_t *size);

/* --- ends.c: memory that ends where an input says ---------------------------------------------------- */
void rt_end_at(void *p, uint64_t size, uint64_t used, uint32_t label); /* a block of which only a part is there */
uint64_t rt_end_of(uint64_t base, uint64_t size); /* how much of the object at base is there in this execution */
void rt_end_forget(const void *p);                /* its block is given back */
/* An access to n bytes at p, one of them symbolic or not: logged as a check where the end is symbolic. */
void rt_check_end(const void *p, uint64_t n, uint32_t lp, uint32_t ln, uint64_t where);

/* --- access.c: values in memory --------------------------------------------------------------------- */
/* The node of n bytes that are not all concrete and none of which is poisoned. */
uint32_t rt_value_of(const uint32_t *labels, const uint8_t *bytes, unsigned n);

/* --- nullable.c: pointers that may be null ----------------------------------------------------------- */
/* The pointer that is null where the condition holds, else this address. */
uint32_t rt_nullable(uint64_t address, uint32_t condition, int is_null);
void rt_decided(uint32_t condition);   /* a branch took one side of this: if it asked for null, that is known now */
uint32_t rt_settled(uint32_t label);   /* 0 for a pointer of which it is known */
/* The label of an address that is accessed now: whether the pointer in it is null is checked, and known from here on. */
uint32_t rt_followed(uint32_t label, uint64_t where);

/* --- arena.c: the heap of the unit under test ------------------------------------------------------- */
void rt_arena_start(void);
void rt_arena_reset(void);
void *rt_alloc(uint64_t size, uint64_t align, int zero);  /* redzones on both sides */
/* 1 and the bounds if p lies in a live or freed block of the arena (redzones included). */
int rt_arena_block(const void *p, uint64_t *base, uint64_t *size, int *freed);

/* --- input.c: slots ---------------------------------------------------------------------------------- */
void rt_input_reset(void);

/* Labels of arguments and results cross calls here. Models and runtime functions whose name begins with
 * ctn_ or __ctn_ read and write them themselves; every other external function gets and gives 0. */
extern __thread uint32_t __ctn_args[64];
extern __thread uint32_t __ctn_ret[8];

#endif
