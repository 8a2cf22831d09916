/* Pointers that an input may make null: a driver makes their object in any case, and whether the pointer is null is
 * decided where the program asks for it or follows it. From there on it is the same for all inputs of this path. */
#include "cold.h"
#include "rt.h"

#define TABLE_BITS 12
#define ADDRESS_STEPS 64u
#define TEST_STEPS 6u

/* How the node is told from other choices between two values: by what it is in this execution. */
enum { IS_THERE = 1, IS_NULL = 2 };

/* The pointers that this execution decided; one that is pushed out is decided once more. */
RT_KEEP_TABLE static struct { uint32_t node; uint64_t execution; } decisions[1u << TABLE_BITS];

static __typeof__(decisions[0]) *slot_of(uint32_t node)
{
    return &decisions[(node * 0x9e3779b1u) >> (32 - TABLE_BITS)];
}

static int is_nullable(uint32_t label)
{
    const ctn_node *node = rt_node_at(label);
    return label && node->op == CTN_OP_ITE && node->sub != 0;
}

static int is_decided(uint32_t label)
{
    const __typeof__(decisions[0]) *slot = slot_of(label);
    return slot->node == label && slot->execution == rt_header->executions;
}

static void decide(uint32_t label)
{
    __typeof__(decisions[0]) *slot = slot_of(label);
    slot->node = label;
    slot->execution = rt_header->executions;
}

uint32_t rt_nullable(uint64_t address, uint32_t condition, int is_null)
{
    if (!condition) return 0;
    return rt_node(CTN_OP_ITE, is_null ? IS_NULL : IS_THERE, 64, condition, 0, 0, 0, address);
}

uint32_t rt_settled(uint32_t label) { return is_nullable(label) && is_decided(label) ? 0 : label; }

void rt_decided(uint32_t condition)
{
    for (unsigned steps = 0; condition && steps < TEST_STEPS; steps++) {
        const ctn_node *node = rt_node_at(condition);
        int compares = node->op == CTN_OP_EQ || node->op == CTN_OP_NE;
        if (compares && node->a && node->b) return;
        if (compares && (node->a ? node->y : node->x) != 0) return;
        if (!compares && node->op != CTN_OP_ZEXT && (node->op != CTN_OP_XOR || node->b)) return;
        condition = node->a ? node->a : node->b;
        if (compares && is_nullable(condition)) {
            decide(condition);
            return;
        }
    }
}

/* An address without what is decided in it: a label, or 0 and the value. */
static uint32_t follow(uint32_t label, uint64_t where, uint64_t *value, unsigned steps)
{
    const ctn_node *node = rt_node_at(label);
    if (is_nullable(label)) {
        *value = node->sub == IS_NULL ? 0 : node->y;
        if (is_decided(label)) return 0;
        decide(label);
        if (rt_check_wanted(CTN_CLASS_NULL_DEREFERENCE))
            rt_check(CTN_CLASS_NULL_DEREFERENCE, rt_node(CTN_OP_EQ, 0, 1, label, 0, 64, 0, 0), *value == 0, where);
        else
            __ctn_concretise_cold(CTN_CONC_LOAD_ADDRESS, label, *value, where);
        return 0;
    }
    if (node->op != CTN_OP_ADD || !node->a || !steps) return label;
    uint32_t base = follow(node->a, where, value, steps - 1);
    if (base == node->a) return label;
    if (!base && !node->b) {
        *value += node->y;
        return 0;
    }
    return rt_node(CTN_OP_ADD, 0, 64, base, node->b, 0, base ? 0 : *value, node->b ? 0 : node->y);
}

uint32_t rt_followed(uint32_t label, uint64_t where)
{
    uint64_t value;
    return label ? follow(label, where, &value, ADDRESS_STEPS) : 0;
}
