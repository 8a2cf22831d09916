/* The always-inline half of the instrumentation: compiled to bitcode and linked into every instrumented
 * module. Each function tests whether anything is symbolic or poisoned and leaves the work to a cold
 * function. No state of its own; sizes and places are constants at every call. Some exist a second time, to be
 * called, where code should be short rather than fast: see the end. */
#include "cold.h"

#define HOT __attribute__((always_inline))
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

typedef uint64_t __attribute__((aligned(4), may_alias)) word;
typedef uint32_t __attribute__((vector_size(16), aligned(4), may_alias)) quad;

static inline HOT uint32_t *shadow(const void *p)
{
    return (uint32_t *)((((uint64_t)p & CTN_SHADOW_MASK) << 2) + CTN_SHADOW_BASE);
}

/* The widths of ordinary accesses are written out, so that they become the plain instructions they are. */
static inline HOT uint64_t any_at(const uint32_t *first, uint64_t n)
{
    const word *s = (const word *)first;
    uint64_t all = 0;
    if (n == 1) return *first;
    if (n == 2) return s[0];
    if (n == 4) return s[0] | s[1];
    if (n == 8) return s[0] | s[1] | s[2] | s[3];
    if (n == 16) {
        const quad *q = (const quad *)s;
        union { quad words; uint64_t halves[2]; } any = {q[0] | q[1] | q[2] | q[3]};
        return any.halves[0] | any.halves[1];
    }
#pragma clang loop vectorize(disable) unroll(disable)
    for (uint64_t i = 0; i < n / 2; i++) all |= s[i];
    if (n & 1) all |= first[n - 1];
    return all;
}

static inline HOT uint64_t any(const void *p, uint64_t n) { return any_at(shadow(p), n); }

/* --- values -------------------------------------------------------------------------------------------- */
HOT uint32_t __ctn_op1(uint32_t head, uint32_t c, uint32_t la, uint64_t x)
{
    return UNLIKELY(la) ? __ctn_node1(head, c, la, x) : 0;
}

HOT uint32_t __ctn_op2(uint32_t head, uint32_t c, uint32_t la, uint32_t lb, uint64_t a, uint64_t b)
{
    return UNLIKELY(la | lb) ? __ctn_node2(head, c, la, lb, a, b) : 0;
}

/* Signed arithmetic whose overflow is undefined in C. */
HOT uint32_t __ctn_op2_checked(uint32_t head, uint32_t la, uint32_t lb, uint64_t a, uint64_t b, uint64_t where)
{
    return UNLIKELY(la | lb) ? __ctn_node2_checked(head, la, lb, a, b, where) : 0;
}

HOT uint32_t __ctn_op2_wide(uint32_t head, uint32_t c, uint32_t la, uint32_t lb, uint64_t a, uint64_t a_high,
                            uint64_t b, uint64_t b_high)
{
    return UNLIKELY(la | lb) ? __ctn_node2_wide(head, c, la, lb, a, a_high, b, b_high) : 0;
}

HOT uint32_t __ctn_select(uint32_t bits, uint32_t lc, uint32_t lt, uint32_t lf, uint32_t chosen, uint64_t t,
                          uint64_t f)
{
    if (UNLIKELY(lc)) return __ctn_node_ite(bits, lc, lt, lf, t, f);
    return chosen ? lt : lf;
}

HOT uint32_t __ctn_select_wide(uint32_t bits, uint32_t lc, uint32_t lt, uint32_t lf, uint32_t chosen, uint64_t t,
                               uint64_t t_high, uint64_t f, uint64_t f_high)
{
    if (UNLIKELY(lc)) return __ctn_node_ite_wide(bits, lc, lt, lf, t, t_high, f, f_high);
    return chosen ? lt : lf;
}

HOT uint32_t __ctn_fma(uint32_t bits, uint32_t la, uint32_t lb, uint32_t lc, uint64_t a, uint64_t b, uint64_t c)
{
    return UNLIKELY(la | lb | lc) ? __ctn_node_fma(bits, la, lb, lc, a, b, c) : 0;
}

HOT uint32_t __ctn_address(uint32_t lbase, uint64_t base, int64_t constant)
{
    return UNLIKELY(lbase) ? __ctn_node_address(lbase, base, constant) : 0;
}

HOT uint32_t __ctn_index(uint32_t lbase, uint64_t base, uint32_t lindex, int64_t index, uint32_t bits,
                         uint64_t size)
{
    return UNLIKELY(lbase | lindex) ? __ctn_node_index(lbase, base, lindex, index, bits, size) : 0;
}

HOT uint32_t __ctn_choose(uint32_t head, uint32_t la, uint32_t lb, uint64_t a, uint64_t b)
{
    return UNLIKELY(la | lb) ? __ctn_node_choose(head, la, lb, a, b) : 0;
}

HOT uint32_t __ctn_abs(uint32_t bits, uint32_t la) { return UNLIKELY(la) ? __ctn_node_abs(bits, la) : 0; }

HOT uint32_t __ctn_saturate(uint32_t head, uint32_t la, uint32_t lb, uint64_t a, uint64_t b)
{
    return UNLIKELY(la | lb) ? __ctn_node_saturate(head, la, lb, a, b) : 0;
}

HOT uint32_t __ctn_funnel(uint32_t bits, uint32_t left, uint32_t la, uint32_t lb, uint32_t ls, uint64_t a, uint64_t b,
                          uint64_t shift)
{
    return UNLIKELY(la | lb | ls) ? __ctn_node_funnel(bits, left, la, lb, ls, a, b, shift) : 0;
}

HOT uint32_t __ctn_classify(uint32_t bits, uint32_t la, uint32_t classes)
{
    return UNLIKELY(la) ? __ctn_node_classify(bits, la, classes) : 0;
}

/* --- memory -------------------------------------------------------------------------------------------- */
/* A little above p: the end of the shadow has room for that (CTN_SHADOW_NEAR). */
HOT uint64_t __ctn_any(const void *p, uint64_t offset, uint64_t n) { return any_at(shadow(p) + offset, n); }

/* The same, to be joined with more of its kind and then asked. */
HOT quad __ctn_quad(const void *p, uint64_t offset, uint64_t n)
{
    const uint32_t *s = shadow(p) + offset;
    const quad *q = (const quad *)s;
    if (n == 1) return (quad){*s, 0, 0, 0};
    if (n == 2) return (quad)(__attribute__((vector_size(16))) uint64_t){*(const word *)s, 0};
    if (n == 4) return q[0];
    if (n == 8) return q[0] | q[1];
    return (q[0] | q[1]) | (q[2] | q[3]);
}

HOT uint32_t __ctn_any_of(quad all)
{
    union { quad words; unsigned __int128 all; } any = {all};
    return any.all != 0;
}

HOT uint32_t __ctn_load(const void *p, uint64_t n, uint32_t lp, uint64_t where)
{
    return UNLIKELY(any(p, n) | lp) ? __ctn_load_cold(p, n, lp, where) : 0;
}

HOT void __ctn_store(void *p, uint64_t n, uint32_t lp, uint32_t lv, uint64_t value, uint64_t where)
{
    if (UNLIKELY(any(p, n) | lp | lv)) __ctn_store_cold(p, n, lp, lv, value, where);
}

HOT void __ctn_load_opaque(const void *p, uint64_t n, uint32_t lp, uint64_t where)
{
    if (UNLIKELY(any(p, n) | lp)) __ctn_load_opaque_cold(p, n, lp, where);
}

HOT void __ctn_store_opaque(void *p, uint64_t n, uint32_t lp, uint64_t where)
{
    if (UNLIKELY(any(p, n) | lp)) __ctn_store_opaque_cold(p, n, lp, where);
}

HOT void __ctn_memcpy(void *to, const void *from, uint64_t n, uint32_t lto, uint32_t lfrom, uint32_t ln,
                      uint64_t where)
{
    __ctn_memcpy_call(to, from, n, lto, lfrom, ln, where);
}

HOT void __ctn_memset(void *to, uint64_t n, uint32_t lto, uint32_t lvalue, uint32_t ln, uint64_t where)
{
    __ctn_memset_call(to, n, lto, lvalue, ln, where);
}

/* Only code outside of the image is a library's. The token is taken back; ~0 stands for none. */
HOT uint32_t __ctn_lend(const void *callee, uint32_t token, const void *p)
{
    extern const char __executable_start[], etext[];
    uint64_t size = (uint64_t)(etext - __executable_start);
    if (!UNLIKELY((uint64_t)callee - (uint64_t)__executable_start >= size)) return token;
    uint32_t first = __ctn_lend_call(p);
    return token < first ? token : first;
}

HOT void __ctn_take_back(uint32_t token, uint64_t where)
{
    if (UNLIKELY(token != ~0u)) __ctn_take_back_call(token, where);
}

/* --- control ------------------------------------------------------------------------------------------- */
HOT void __ctn_branch(uint32_t taken, uint32_t label, uint64_t where)
{
    if (UNLIKELY(label)) __ctn_branch_cold(taken, label, where);
}

HOT void __ctn_switch_edge(uint32_t successor, uint32_t label, uint64_t value, uint64_t where)
{
    if (UNLIKELY(label)) __ctn_switch_cold(successor, label, value, where);
}

HOT void __ctn_cover(uint8_t *covered, uint32_t tu, uint32_t counter)
{
    if (UNLIKELY(!*covered)) __ctn_cover_cold(covered, tu, counter);
}

HOT void __ctn_indirect(uint32_t label, uint64_t target, uint64_t where)
{
    if (UNLIKELY(label)) __ctn_indirect_cold(label, target, where);
}

HOT void __ctn_lost(uint32_t labels, uint32_t kind, uint64_t where)
{
    if (UNLIKELY(labels)) __ctn_lost_cold(kind, where);
}

HOT void __ctn_concretise(uint32_t label, uint32_t kind, uint64_t value, uint64_t where)
{
    if (UNLIKELY(label)) __ctn_concretise_cold(kind, label, value, where);
}

HOT void __ctn_assembly(void) { __ctn_foreign = 1; }

/* The label of a result whose function may or may not be instrumented. */
HOT uint32_t __ctn_result(uint32_t argument_labels, uint64_t where)
{
    uint32_t label = __ctn_ret[0];
    if (UNLIKELY(label == CTN_NO_CALLEE)) {
        __ctn_foreign = 1;
        if (UNLIKELY(argument_labels)) __ctn_lost_cold(CTN_CONC_EXTERNAL_ARGUMENT, where);
        return 0;
    }
    return label;
}

/* --- checks -------------------------------------------------------------------------------------------- */
HOT void __ctn_check_divisor(uint32_t bits, uint32_t ld, uint64_t divisor, uint64_t where)
{
    if (UNLIKELY(ld || divisor == 0)) __ctn_divisor_cold(bits, ld, divisor, where);
}

/* The smallest number divided by -1. `least` is that number, zero-extended like the operands. */
HOT void __ctn_check_divide_overflow(uint32_t bits, uint32_t la, uint32_t lb, uint64_t a, uint64_t b, uint64_t least,
                                     uint64_t minus_one, uint64_t where)
{
    if (UNLIKELY(la | lb)) __ctn_divide_overflow_cold(bits, la, lb, a, b, where);
    if (UNLIKELY(b == minus_one && a == least)) __ctn_violation(CTN_CLASS_SIGNED_OVERFLOW, where, 0);
}

HOT void __ctn_check_shift(uint32_t bits, uint32_t ls, uint64_t shift, uint64_t where)
{
    if (UNLIKELY(ls)) __ctn_shift_cold(bits, ls, shift, where);
}

HOT void __ctn_check_index(uint32_t bits, uint32_t li, uint64_t index, uint64_t count, uint64_t where)
{
    if (UNLIKELY(li || index >= count)) __ctn_index_cold(bits, li, index, count, where);
}

/* A size wrapped around before memory of it is got. That is no fault yet: what fails is the access beyond. */
HOT void __ctn_check_size(uint32_t label, uint32_t wrapped, uint64_t where)
{
    if (UNLIKELY(label)) __ctn_size_cold(label, wrapped, where);
}

/* A loop that nothing leaves and that does nothing, as handlers of failures have: its end need not be waited for. */
HOT void __ctn_stuck(uint64_t where) { __ctn_violation(CTN_CLASS_NON_TERMINATION, where, 0); }

/* --- stack --------------------------------------------------------------------------------------------- */
static inline HOT void fill(const void *p, uint64_t n, uint32_t code)
{
    uint32_t *s = shadow(p);
    quad value = {code, code, code, code};
    uint64_t i = 0;
    if (n == 16) { /* most redzones */
        quad *q = (quad *)s;
        q[0] = q[1] = q[2] = q[3] = value;
        return;
    }
#pragma clang loop vectorize(disable)
    for (; i + 4 <= n; i += 4) *(quad *)(s + i) = value;
    for (; i < n; i++) s[i] = code;
}

HOT void __ctn_frame_enter(const void *frame)
{
    if (UNLIKELY((uintptr_t)frame < __ctn_stack_low)) __ctn_stack_low = (uintptr_t)frame;
}

HOT void __ctn_redzone(const void *p, uint64_t n) { fill(p, n, CTN_STACK_REDZONE); }

HOT void __ctn_redzone_clear(const void *p, uint64_t n) { fill(p, n, 0); }

HOT void __ctn_clear(const void *p, uint64_t n) { __ctn_clear_call(p, n); }

HOT void __ctn_poison_dynamic(const void *p, uint64_t left, uint64_t n, uint64_t right)
{
    __ctn_poison_dynamic_call(p, left, n, right);
}

HOT void __ctn_clear_stack(const void *from, const void *to) { __ctn_clear_stack_call(from, to); }

/* --- calls --------------------------------------------------------------------------------------------- */
HOT uint32_t __ctn_argument(uint32_t slot) { return __ctn_args[slot]; }

HOT void __ctn_pass(uint32_t slot, uint32_t label) { __ctn_args[slot] = label; }

HOT uint32_t __ctn_returned(uint32_t leaf) { return __ctn_ret[leaf]; }

HOT void __ctn_return(uint32_t leaf, uint32_t label) { __ctn_ret[leaf] = label; }

HOT void __ctn_pass_byval(uint32_t argument, const void *from) { __ctn_byval[argument] = from; }

HOT void __ctn_byval_enter(void *to, uint64_t n, uint32_t argument) { __ctn_byval_enter_call(to, n, argument); }

HOT void __ctn_capture(uint32_t tu, uint32_t function) { __ctn_capture_call(tu, function); }

HOT void __ctn_va_pass_general(uint32_t slot, uint32_t label) { __ctn_va_args.general[slot] = label; }

HOT void __ctn_va_pass_floating(uint32_t slot, uint32_t label) { __ctn_va_args.floating[slot] = label; }

HOT void __ctn_va_pass_memory(uint32_t slot, uint32_t label) { __ctn_va_args.memory[slot] = label; }

HOT uint32_t __ctn_va_pass_bytes(uint32_t slot, const void *from, uint64_t n)
{
    return __ctn_va_pass_bytes_call(slot, from, n);
}

HOT void __ctn_va_pass(uint32_t memory_slots, uint32_t any)
{
    __ctn_va_args.memory_slots = memory_slots;
    __ctn_va_args.any = any;
}

HOT void __ctn_va_save(ctn_va *saved) { __ctn_va_save_call(saved); }

HOT void __ctn_va_start(void *list, const ctn_va *saved) { __ctn_va_start_call(list, saved); }

HOT void __ctn_va_copy(void *to, const void *from) { __ctn_va_copy_call(to, from); }

/* --- the same, to be called ------------------------------------------------------------------------------ */
/* For the labelled version of a function, which seldom runs. They keep the caller's registers, and their way out is a
 * jump to the cold function, which has the same parameters and returns to the caller. In a section of their own, so
 * that a signal that comes here is told at the caller (signals.c). */
#define FAR __attribute__((noinline, preserve_most, section("ctn_hooks")))
#define LEAVE_IF(condition, cold) if (UNLIKELY(condition)) __attribute__((musttail)) return cold

FAR uint32_t __ctn_far_op1(uint32_t head, uint32_t c, uint32_t la, uint64_t x)
{
    LEAVE_IF(la, __ctn_node1(head, c, la, x));
    return 0;
}

FAR uint32_t __ctn_far_op2(uint32_t head, uint32_t c, uint32_t la, uint32_t lb, uint64_t a, uint64_t b)
{
    LEAVE_IF(la | lb, __ctn_node2(head, c, la, lb, a, b));
    return 0;
}

FAR uint32_t __ctn_far_op2_checked(uint32_t head, uint32_t la, uint32_t lb, uint64_t a, uint64_t b, uint64_t where)
{
    LEAVE_IF(la | lb, __ctn_node2_checked(head, la, lb, a, b, where));
    return 0;
}

FAR uint32_t __ctn_far_address(uint32_t lbase, uint64_t base, int64_t constant)
{
    LEAVE_IF(lbase, __ctn_node_address(lbase, base, constant));
    return 0;
}

FAR uint32_t __ctn_far_index(uint32_t lbase, uint64_t base, uint32_t lindex, int64_t index, uint32_t bits,
                             uint64_t size)
{
    LEAVE_IF(lbase | lindex, __ctn_node_index(lbase, base, lindex, index, bits, size));
    return 0;
}

/* One for each width, which is `n`. */
#define FAR_ACCESS(width)                                                                                              \
    FAR uint32_t __ctn_far_load_##width(const void *p, uint64_t n, uint32_t lp, uint64_t where)                        \
    {                                                                                                                  \
        LEAVE_IF(any(p, width) | lp, __ctn_load_cold(p, n, lp, where));                                                \
        return 0;                                                                                                      \
    }                                                                                                                  \
    FAR void __ctn_far_store_##width(void *p, uint64_t n, uint32_t lp, uint32_t lv, uint64_t value, uint64_t where)    \
    {                                                                                                                  \
        LEAVE_IF(any(p, width) | lp | lv, __ctn_store_cold(p, n, lp, lv, value, where));                               \
    }
FAR_ACCESS(1)
FAR_ACCESS(2)
FAR_ACCESS(4)
FAR_ACCESS(8)

FAR void __ctn_far_branch(uint32_t taken, uint32_t label, uint64_t where)
{
    LEAVE_IF(label, __ctn_branch_cold(taken, label, where));
}

FAR void __ctn_far_switch_edge(uint32_t successor, uint32_t label, uint64_t value, uint64_t where)
{
    LEAVE_IF(label, __ctn_switch_cold(successor, label, value, where));
}

FAR void __ctn_far_cover(uint8_t *covered, uint32_t tu, uint32_t counter)
{
    LEAVE_IF(!*covered, __ctn_cover_cold(covered, tu, counter));
}

FAR void __ctn_far_check_divisor(uint32_t bits, uint32_t ld, uint64_t divisor, uint64_t where)
{
    LEAVE_IF(ld || divisor == 0, __ctn_divisor_cold(bits, ld, divisor, where));
}

FAR void __ctn_far_check_shift(uint32_t bits, uint32_t ls, uint64_t shift, uint64_t where)
{
    LEAVE_IF(ls, __ctn_shift_cold(bits, ls, shift, where));
}

FAR void __ctn_far_check_index(uint32_t bits, uint32_t li, uint64_t index, uint64_t count, uint64_t where)
{
    LEAVE_IF(li || index >= count, __ctn_index_cold(bits, li, index, count, where));
}
