/* What instrumented code calls: the cold halves of the always-inline functions in inline.c, and the few
 * functions that are called as they are. `where` is tu << 32 | site; `head` is op | sub << 8 | bits << 16.
 * Names in _cold and _call have an inline function of the same name before them.
 * Cold functions keep the caller's registers (preserve_most), so that the paths that matter stay short. */
#ifndef CTN_COLD_H
#define CTN_COLD_H

#include "wire.h"

/* Mapped behind the shadow: code looks for the shadow of a member from that of its object. Four times NEAR of the
 * instrumenter, and the widest look. */
#define CTN_SHADOW_NEAR (5ull * 4096)
#define CTN_COLD __attribute__((cold, noinline, preserve_most))
/* Of the same image, so that no table says where it is. */
#define CTN_NEAR __attribute__((visibility("hidden")))
#define CTN_WHERE_TU(where) ((uint32_t)((where) >> 32))
#define CTN_WHERE_SITE(where) ((uint32_t)(where))

extern __thread uint32_t __ctn_args[64];
extern __thread uint32_t __ctn_ret[8];
/* Source of each struct passed by value: its labels are copied by the callee. Index = argument number. */
extern __thread const void *__ctn_byval[16];
/* A result label that no instrumented function leaves: the callee was not instrumented. */
#define CTN_NO_CALLEE 0xffffffffu
/* Code that is not instrumented ran in this execution: it may have opened files or blocked signals. */
extern CTN_NEAR uint8_t __ctn_foreign;
/* Lowest address of a stack frame that wrote poison in this execution. */
extern CTN_NEAR uintptr_t __ctn_stack_low;

/* --- nodes (labels.c, algebra.c) -------------------------------------------------------------------- */
CTN_COLD uint32_t __ctn_node1(uint32_t head, uint32_t c, uint32_t la, uint64_t x);
CTN_COLD uint32_t __ctn_node2(uint32_t head, uint32_t c, uint32_t la, uint32_t lb, uint64_t a, uint64_t b);
CTN_COLD uint32_t __ctn_node2_wide(uint32_t head, uint32_t c, uint32_t la, uint32_t lb, uint64_t a, uint64_t a_high,
                                   uint64_t b, uint64_t b_high);
CTN_COLD uint32_t __ctn_node_ite(uint32_t bits, uint32_t lc, uint32_t lt, uint32_t lf, uint64_t t, uint64_t f);
CTN_COLD uint32_t __ctn_node_ite_wide(uint32_t bits, uint32_t lc, uint32_t lt, uint32_t lf, uint64_t t,
                                      uint64_t t_high, uint64_t f, uint64_t f_high);
CTN_COLD uint32_t __ctn_node_fma(uint32_t bits, uint32_t la, uint32_t lb, uint32_t lc, uint64_t a, uint64_t b,
                                 uint64_t c);
/* base + constant + index * size, all 64 bit. */
CTN_COLD uint32_t __ctn_node_address(uint32_t lbase, uint64_t base, int64_t constant);
CTN_COLD uint32_t __ctn_node_index(uint32_t lbase, uint64_t base, uint32_t lindex, int64_t index, uint32_t bits,
                                   uint64_t size);
CTN_COLD uint32_t __ctn_node_choose(uint32_t head, uint32_t la, uint32_t lb, uint64_t a, uint64_t b);
CTN_COLD uint32_t __ctn_node_abs(uint32_t bits, uint32_t la);
CTN_COLD uint32_t __ctn_node_saturate(uint32_t head, uint32_t la, uint32_t lb, uint64_t a, uint64_t b);
CTN_COLD uint32_t __ctn_node_funnel(uint32_t bits, uint32_t left, uint32_t la, uint32_t lb, uint32_t ls, uint64_t a,
                                    uint64_t b, uint64_t shift);
CTN_COLD uint32_t __ctn_node_classify(uint32_t bits, uint32_t la, uint32_t classes);

/* --- path (labels.c) ---------------------------------------------------------------------------------- */
CTN_COLD void __ctn_branch_cold(uint32_t taken, uint32_t label, uint64_t where);
CTN_COLD void __ctn_switch_cold(uint32_t successor, uint32_t label, uint64_t value, uint64_t where);
CTN_COLD void __ctn_cover_cold(uint8_t *covered, uint32_t tu, uint32_t counter);
CTN_COLD void __ctn_indirect_cold(uint32_t label, uint64_t target, uint64_t where);
CTN_COLD void __ctn_lost_cold(uint32_t kind, uint64_t where);
CTN_COLD void __ctn_concretise_cold(uint32_t kind, uint32_t label, uint64_t value, uint64_t where);
void __ctn_capture_call(uint32_t tu, uint32_t function);

/* --- memory (access.c) -------------------------------------------------------------------------------- */
CTN_COLD uint32_t __ctn_load_cold(const void *p, uint64_t n, uint32_t lp, uint64_t where);
CTN_COLD void __ctn_store_cold(void *p, uint64_t n, uint32_t lp, uint32_t lv, uint64_t value, uint64_t where);
CTN_COLD void __ctn_load_opaque_cold(const void *p, uint64_t n, uint32_t lp, uint64_t where);
CTN_COLD void __ctn_store_opaque_cold(void *p, uint64_t n, uint32_t lp, uint64_t where);
void __ctn_memcpy_call(void *to, const void *from, uint64_t n, uint32_t lto, uint32_t lfrom, uint32_t ln, uint64_t where);
void __ctn_memset_call(void *to, uint64_t n, uint32_t lto, uint32_t lvalue, uint32_t ln, uint64_t where);
void __ctn_byval_enter_call(void *to, uint64_t n, uint32_t argument);

/* --- memory lent to libraries (lend.c) ------------------------------------------------------------------ */
uint32_t __ctn_lend_call(const void *p);
void __ctn_take_back_call(uint32_t token, uint64_t where);

/* --- checks (checks.c) -------------------------------------------------------------------------------- */
CTN_COLD __attribute__((noreturn)) void __ctn_violation(uint32_t class, uint64_t where, uint64_t address);
/* Divisors that are zero and indices outside end the execution, symbolic or not. */
CTN_COLD void __ctn_divisor_cold(uint32_t bits, uint32_t ld, uint64_t divisor, uint64_t where);
CTN_COLD void __ctn_divide_overflow_cold(uint32_t bits, uint32_t la, uint32_t lb, uint64_t a, uint64_t b,
                                         uint64_t where);
CTN_COLD void __ctn_shift_cold(uint32_t bits, uint32_t ls, uint64_t shift, uint64_t where);
/* A signed addition, subtraction or multiplication, and the check that it does not overflow. */
CTN_COLD uint32_t __ctn_node2_checked(uint32_t head, uint32_t la, uint32_t lb, uint64_t a, uint64_t b, uint64_t where);
CTN_COLD void __ctn_size_cold(uint32_t label, uint32_t wrapped, uint64_t where);
CTN_COLD void __ctn_index_cold(uint32_t bits, uint32_t li, uint64_t index, uint64_t count, uint64_t where);

/* --- stack (stack.c) ---------------------------------------------------------------------------------- */
void __ctn_clear_call(const void *p, uint64_t n);
void __ctn_poison_dynamic_call(const void *p, uint64_t left, uint64_t n, uint64_t right);
void __ctn_clear_stack_call(const void *from, const void *to);

/* --- variable arguments (varargs.c) ------------------------------------------------------------------- */
typedef struct { uint32_t general[6]; uint32_t floating[8]; uint32_t memory[32]; uint32_t memory_slots, any; } ctn_va;
extern __thread ctn_va __ctn_va_args;
/* The labels of a struct on its way to stack slots, 8 bytes to each; not 0 if there are any. */
uint32_t __ctn_va_pass_bytes_call(uint32_t slot, const void *from, uint64_t n);
void __ctn_va_save_call(ctn_va *saved);
void __ctn_va_start_call(void *list, const ctn_va *saved);
void __ctn_va_copy_call(void *to, const void *from);

#endif
