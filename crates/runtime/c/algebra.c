/* Nodes for the operations of the program, built only when an operand is symbolic. Operands come as label
 * and value; the value is used where the label is 0. Operations without a node of their own (absolute
 * value, saturation, funnel shifts) are composed here. */
#include "cold.h"
#include "rt.h"

#define HEAD_OP(head) ((uint8_t)(head))
#define HEAD_SUB(head) ((uint8_t)((head) >> 8))
#define HEAD_BITS(head) ((uint16_t)((head) >> 16))

static uint64_t mask(uint32_t bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }

static uint32_t constant(uint32_t bits, uint64_t low, uint64_t high)
{
    return rt_node(CTN_OP_CONST, 0, (uint16_t)bits, 0, 0, 0, low, high);
}

/* A label for an operand wherever a constant has no room in the node. */
static uint32_t operand(uint32_t bits, uint32_t label, uint64_t value)
{
    return label ? label : constant(bits, value, 0);
}

static uint32_t binary(uint8_t op, uint32_t bits, uint32_t la, uint32_t lb, uint64_t a, uint64_t b)
{
    return rt_node(op, 0, (uint16_t)bits, la, lb, 0, la ? 0 : a, lb ? 0 : b);
}

static uint32_t predicate(uint8_t op, uint32_t bits, uint32_t la, uint32_t lb, uint64_t a, uint64_t b)
{
    return rt_node(op, 0, 1, la, lb, bits, la ? 0 : a, lb ? 0 : b);
}

static uint32_t ite(uint32_t bits, uint32_t lc, uint32_t lt, uint32_t lf, uint64_t t, uint64_t f)
{
    if (!lc) return 0;
    return rt_node(CTN_OP_ITE, 0, (uint16_t)bits, lc, lt, lf, lt ? 0 : t, lf ? 0 : f);
}

uint32_t __ctn_node1(uint32_t head, uint32_t c, uint32_t la, uint64_t x)
{
    return rt_node(HEAD_OP(head), HEAD_SUB(head), HEAD_BITS(head), la, 0, c, x, 0);
}

uint32_t __ctn_node2(uint32_t head, uint32_t c, uint32_t la, uint32_t lb, uint64_t a, uint64_t b)
{
    return rt_node(HEAD_OP(head), HEAD_SUB(head), HEAD_BITS(head), la, lb, c, la ? 0 : a, lb ? 0 : b);
}

uint32_t __ctn_node2_wide(uint32_t head, uint32_t c, uint32_t la, uint32_t lb, uint64_t a, uint64_t a_high,
                          uint64_t b, uint64_t b_high)
{
    uint32_t bits = c ? c : HEAD_BITS(head);
    if (!la) la = constant(bits, a, a_high);
    if (!lb) lb = constant(bits, b, b_high);
    return la && lb ? rt_node(HEAD_OP(head), HEAD_SUB(head), HEAD_BITS(head), la, lb, c, 0, 0) : 0;
}

uint32_t __ctn_node_ite(uint32_t bits, uint32_t lc, uint32_t lt, uint32_t lf, uint64_t t, uint64_t f)
{
    return ite(bits, lc, lt, lf, t, f);
}

uint32_t __ctn_node_ite_wide(uint32_t bits, uint32_t lc, uint32_t lt, uint32_t lf, uint64_t t, uint64_t t_high,
                             uint64_t f, uint64_t f_high)
{
    if (!lt) lt = constant(bits, t, t_high);
    if (!lf) lf = constant(bits, f, f_high);
    return lt && lf ? ite(bits, lc, lt, lf, 0, 0) : 0;
}

uint32_t __ctn_node_fma(uint32_t bits, uint32_t la, uint32_t lb, uint32_t lc, uint64_t a, uint64_t b, uint64_t c)
{
    lc = operand(bits, lc, c);
    return lc ? rt_node(CTN_OP_FFMA, 0, (uint16_t)bits, la, lb, lc, la ? 0 : a, lb ? 0 : b) : 0;
}

uint32_t __ctn_node_address(uint32_t lbase, uint64_t base, int64_t constant_offset)
{
    lbase = rt_settled(lbase);
    if (!constant_offset || !lbase) return lbase;
    return binary(CTN_OP_ADD, 64, lbase, 0, base, (uint64_t)constant_offset);
}

uint32_t __ctn_node_index(uint32_t lbase, uint64_t base, uint32_t lindex, int64_t index, uint32_t bits,
                          uint64_t size)
{
    uint32_t offset = lindex;
    if (offset && bits < 64) offset = rt_node(CTN_OP_SEXT, 0, 64, offset, 0, bits, 0, 0);
    if (offset && bits > 64) offset = rt_node(CTN_OP_EXTRACT, 0, 64, offset, 0, 0, 0, 0);
    if (offset && size != 1) offset = binary(CTN_OP_MUL, 64, offset, 0, 0, size);
    lbase = rt_settled(lbase);
    if (!offset && !lbase) return 0;
    return binary(CTN_OP_ADD, 64, lbase, offset, base, (uint64_t)index * size);
}

/* Minimum and maximum: a if `a op b` (or `b op a`, when sub is 1), else b. */
uint32_t __ctn_node_choose(uint32_t head, uint32_t la, uint32_t lb, uint64_t a, uint64_t b)
{
    uint32_t bits = HEAD_BITS(head);
    uint32_t first = HEAD_SUB(head) ? predicate(HEAD_OP(head), bits, lb, la, b, a)
                                    : predicate(HEAD_OP(head), bits, la, lb, a, b);
    return ite(bits, first, la, lb, a, b);
}

uint32_t __ctn_node_abs(uint32_t bits, uint32_t la)
{
    uint32_t negative = predicate(CTN_OP_SLT, bits, la, 0, 0, 0);
    uint32_t negated = binary(CTN_OP_SUB, bits, 0, la, 0, 0);
    return negated ? ite(bits, negative, negated, la, 0, 0) : 0;
}

/* Addition (sub bit 0 clear) or subtraction that stops at the ends of the range. Signed when bit 1 is set. */
uint32_t __ctn_node_saturate(uint32_t head, uint32_t la, uint32_t lb, uint64_t a, uint64_t b)
{
    uint32_t bits = HEAD_BITS(head);
    int subtract = HEAD_SUB(head) & 1, is_signed = HEAD_SUB(head) & 2;
    uint32_t plain = binary(subtract ? CTN_OP_SUB : CTN_OP_ADD, bits, la, lb, a, b);
    uint8_t op = is_signed ? (subtract ? CTN_OP_SSUBO : CTN_OP_SADDO) : (subtract ? CTN_OP_USUBO : CTN_OP_UADDO);
    uint32_t overflow = predicate(op, bits, la, lb, a, b);
    if (!plain || !overflow) return 0;
    if (!is_signed) return ite(bits, overflow, 0, plain, subtract ? 0 : mask(bits), 0);
    uint64_t least = 1ull << (bits - 1);
    uint32_t negative = la ? predicate(CTN_OP_SLT, bits, la, 0, 0, 0) : 0;
    uint32_t limit = la ? ite(bits, negative, 0, 0, least, least - 1)
                        : constant(bits, a & least ? least : least - 1, 0);
    return limit ? ite(bits, overflow, limit, plain, 0, 0) : 0;
}

/* High or low part of (a:b) shifted by shift modulo bits; bits is a power of two up to 64. */
uint32_t __ctn_node_funnel(uint32_t bits, uint32_t left, uint32_t la, uint32_t lb, uint32_t ls, uint64_t a, uint64_t b,
                           uint64_t shift)
{
    uint32_t wide = 2 * bits;
    uint32_t high = operand(bits, la, a), low = operand(bits, lb, b);
    uint32_t pair = high && low ? rt_node(CTN_OP_CONCAT, 0, (uint16_t)wide, high, low, bits, 0, 0) : 0;
    uint32_t amount = ls ? binary(CTN_OP_AND, bits, ls, 0, 0, bits - 1) : constant(bits, shift & (bits - 1), 0);
    amount = amount ? rt_node(CTN_OP_ZEXT, 0, (uint16_t)wide, amount, 0, bits, 0, 0) : 0;
    if (!pair || !amount) return 0;
    uint32_t moved = rt_node(left ? CTN_OP_SHL : CTN_OP_LSHR, 0, (uint16_t)wide, pair, amount, 0, 0, 0);
    return moved ? rt_node(CTN_OP_EXTRACT, 0, (uint16_t)bits, moved, 0, 0, left ? bits : 0, 0) : 0;
}

/* Whether a float is in one of LLVM's classes. Each class is a range of bit patterns, the negative ones again
 * with the sign set. The order of the bits in `classes` is LLVM's. */
uint32_t __ctn_node_classify(uint32_t bits, uint32_t la, uint32_t classes)
{
    uint32_t fraction = bits == 16 ? 10 : bits == 32 ? 23 : 52;
    uint64_t sign = 1ull << (bits - 1), least = 1ull << fraction, infinity = (sign - 1) & ~(least - 1);
    uint64_t quiet = infinity | least >> 1;
    /* Ends of zero, subnormal, normal, infinite, signalling, quiet; and their bits without and with the sign. */
    const uint64_t ends[] = {1, least, infinity, infinity + 1, quiet, sign};
    const uint16_t positive[] = {1 << 6, 1 << 7, 1 << 8, 1 << 9, 1, 2}, negative[] = {1 << 5, 1 << 4, 1 << 3, 1 << 2, 1, 2};
    uint32_t any = 0;
    for (unsigned side = 0; side < 2; side++) {
        uint64_t from = side ? sign : 0;
        for (unsigned k = 0; k < 6; k++) {
            uint64_t end = ends[k] + (side ? sign : 0);
            if (classes & (side ? negative : positive)[k]) {
                uint32_t offset = binary(CTN_OP_SUB, bits, la, 0, 0, from);
                uint32_t inside = offset ? predicate(CTN_OP_ULT, bits, offset, 0, 0, end - from) : 0;
                if (!inside) return 0;
                any = any ? rt_node(CTN_OP_OR, 0, 1, any, inside, 0, 0, 0) : inside;
            }
            from = end;
        }
    }
    return any;
}
