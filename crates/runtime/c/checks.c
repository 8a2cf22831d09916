/* Checks on symbolic operands: a record whose condition is true where the check would fail, so that the
 * search can look for it. What fails in this very execution ends it, except overflow and shifts, whose
 * outcome on the machine is defined and which much code relies on: they are recorded as violated. */
#include "cold.h"
#include "rt.h"

#define REPEAT_LIMIT 64u

static int wanted(uint32_t class)
{
    return !(rt_header->flags & CTN_FLAG_NO_CHECKS) && rt_header->check_mask >> class & 1;
}

/* A loop repeats a check on ever larger terms. Where nothing later relies on it, some are enough. */
static int repeated(uint32_t class, uint64_t where)
{
    int relied_on = class == CTN_CLASS_OUT_OF_BOUNDS || class == CTN_CLASS_NULL_DEREFERENCE;
    return !relied_on && rt_repeats(where) > REPEAT_LIMIT;
}

void rt_check(uint32_t class, uint32_t label, uint32_t violated, uint64_t where)
{
    if (label && wanted(class) && (violated || !repeated(class, where)))
        rt_log(CTN_LOG_CHECK, (uint16_t)class, CTN_WHERE_TU(where), CTN_WHERE_SITE(where), label, violated);
}

int rt_check_wanted(uint32_t class) { return wanted(class); }

void __ctn_violation(uint32_t class, uint64_t where, uint64_t address)
{
    rt_end(CTN_END_VIOLATION, (int32_t)class, CTN_WHERE_TU(where), CTN_WHERE_SITE(where), 0, address);
}

static uint32_t compare(uint8_t op, uint32_t bits, uint32_t la, uint32_t lb, uint64_t a, uint64_t b)
{
    return rt_node(op, 0, 1, la, lb, bits, la ? 0 : a, lb ? 0 : b);
}

void __ctn_divisor_cold(uint32_t bits, uint32_t ld, uint64_t divisor, uint64_t where)
{
    if (ld && wanted(CTN_CLASS_DIVISION_BY_ZERO))
        rt_check(CTN_CLASS_DIVISION_BY_ZERO, compare(CTN_OP_EQ, bits, ld, 0, 0, 0), divisor == 0, where);
    if (divisor == 0)
        __ctn_violation(CTN_CLASS_DIVISION_BY_ZERO, where, 0);
}

/* Only operands of at most 64 bits get here. */
void __ctn_divide_overflow_cold(uint32_t bits, uint32_t la, uint32_t lb, uint64_t a, uint64_t b, uint64_t where)
{
    if (!wanted(CTN_CLASS_SIGNED_OVERFLOW)) return;
    uint64_t least = 1ull << (bits - 1), minus_one = bits >= 64 ? ~0ull : (1ull << bits) - 1;
    if ((!la && a != least) || (!lb && b != minus_one)) return;
    uint32_t is_least = la ? compare(CTN_OP_EQ, bits, la, 0, 0, least) : 0;
    uint32_t is_minus_one = lb ? compare(CTN_OP_EQ, bits, lb, 0, 0, minus_one) : 0;
    uint32_t both = !is_least ? is_minus_one
                  : !is_minus_one ? is_least
                  : rt_node(CTN_OP_AND, 0, 1, is_least, is_minus_one, 0, 0, 0);
    rt_check(CTN_CLASS_SIGNED_OVERFLOW, both, a == least && b == minus_one, where);
}

void __ctn_shift_cold(uint32_t bits, uint32_t ls, uint64_t shift, uint64_t where)
{
    if (wanted(CTN_CLASS_INVALID_SHIFT))
        rt_check(CTN_CLASS_INVALID_SHIFT, compare(CTN_OP_ULE, bits, 0, ls, bits, 0), shift >= bits, where);
}

static int64_t sign_extend(uint64_t value, uint32_t bits) { return (int64_t)(value << (64 - bits)) >> (64 - bits); }

static int overflows(uint8_t op, uint32_t bits, uint64_t a, uint64_t b)
{
    __int128 x = sign_extend(a, bits), y = sign_extend(b, bits);
    __int128 result = op == CTN_OP_ADD ? x + y : op == CTN_OP_SUB ? x - y : x * y;
    return result != sign_extend((uint64_t)result, bits);
}

uint32_t __ctn_node2_checked(uint32_t head, uint32_t la, uint32_t lb, uint64_t a, uint64_t b, uint64_t where)
{
    uint8_t op = (uint8_t)head;
    uint32_t bits = head >> 16;
    int neutral = (!lb && (op == CTN_OP_MUL ? b <= 1 : b == 0)) || (!la && op == CTN_OP_MUL && a <= 1) ||
                  (!la && op == CTN_OP_ADD && a == 0);
    if (!neutral && wanted(CTN_CLASS_SIGNED_OVERFLOW)) {
        uint8_t predicate = op == CTN_OP_ADD ? CTN_OP_SADDO : op == CTN_OP_SUB ? CTN_OP_SSUBO : CTN_OP_SMULO;
        uint32_t label = compare(predicate, bits, la, lb, a, b);
        rt_check(CTN_CLASS_SIGNED_OVERFLOW, label, (uint32_t)overflows(op, bits, a, b), where);
    }
    return __ctn_node2(head, 0, la, lb, a, b);
}

void __ctn_size_cold(uint32_t label, uint32_t wrapped, uint64_t where)
{
    rt_check(CTN_CLASS_OUT_OF_BOUNDS, label, wrapped, where);
}

/* The index that was checked last, and against what. */
RT_KEEP static uint32_t last_index;
RT_KEEP static uint64_t last_count, last_execution;

int rt_index_checked(uint32_t index, uint64_t *count)
{
    *count = last_count;
    return index && index == last_index && last_execution == rt_header->executions;
}

void __ctn_index_cold(uint32_t bits, uint32_t li, uint64_t index, uint64_t count, uint64_t where)
{
    if (li && wanted(CTN_CLASS_OUT_OF_BOUNDS)) {
        rt_check(CTN_CLASS_OUT_OF_BOUNDS, compare(CTN_OP_ULE, bits, 0, li, count, 0), index >= count, where);
        last_index = li;
        last_count = count;
        last_execution = rt_header->executions;
    }
    if (index >= count)
        __ctn_violation(CTN_CLASS_OUT_OF_BOUNDS, where, 0);
}
