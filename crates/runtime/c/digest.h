/* What a node is, whatever its number; the Rust side is crates/wire/src/digest.rs, which says more. A test compares the two. */
#ifndef CTN_DIGEST_H
#define CTN_DIGEST_H

#include "wire.h"

static inline uint64_t ctn_rotated(uint64_t word, unsigned by) { return word << by | word >> (64 - by); }

static inline uint64_t ctn_folded(uint64_t left, uint64_t right)
{
    unsigned __int128 product = (unsigned __int128)left * right;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t ctn_joined(uint64_t head, uint64_t a, uint64_t b, uint64_t x, uint64_t y)
{
    uint64_t plain = ctn_folded(x ^ 0xa4093822299f31d0, y ^ 0x082efa98ec4e6c89 ^ head * 0x9e3779b97f4a7c15);
    return ctn_folded(a ^ ctn_rotated(plain, 32), b) ^ plain;
}

static inline uint64_t ctn_mixed(uint64_t head, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    uint64_t plain = ctn_rotated(ctn_folded(c ^ 0xa4093822299f31d0, d ^ (0x082efa98ec4e6c89 ^ head)), 32);
    return plain ^ ctn_folded(a ^ (0x243f6a8885a308d3 ^ ctn_rotated(head, 23)), b ^ 0x13198a2e03707344);
}

/* Of node 0. */
#define CTN_NO_OPERAND ctn_mixed(0, 0, 0, 0, 0)

/* Of one of the first `count` nodes. Tested code may have written the label. */
static inline uint64_t ctn_digest_at(const ctn_node *nodes, uint32_t count, uint32_t label)
{
    return label < count ? nodes[label].digest : 0;
}

/* 0 where it is not known: of what is read at a symbolic place, and of all that is made of that. `count`: the nodes before. */
static inline uint64_t ctn_digest(const ctn_node *nodes, uint32_t count, const ctn_node *node)
{
    uint64_t low = (uint64_t)node->op | (uint64_t)node->sub << 8 | (uint64_t)node->bits << 16;
    uint64_t head = low | (uint64_t)node->c << 32;
    if (node->op == CTN_OP_CONST || node->op == CTN_OP_INPUT)
        return ctn_mixed(head, node->a, node->b, node->x, node->y);
    uint64_t a = ctn_digest_at(nodes, count, node->a), b = ctn_digest_at(nodes, count, node->b);
    if (!a || !b || node->op == CTN_OP_READ) return 0;
    if (node->op != CTN_OP_ITE && node->op != CTN_OP_FFMA) return ctn_joined(head, a, b, node->x, node->y);
    uint64_t c = ctn_digest_at(nodes, count, node->c);
    return c ? ctn_mixed(ctn_mixed(low, a, b, node->x, node->y), c, 0, 0, 0) : 0;
}

/* Whether the log says what such a record is about by a label. */
static inline int ctn_has_term(uint32_t kind)
{
    uint32_t with = 1u << CTN_LOG_BRANCH | 1u << CTN_LOG_SWITCH | 1u << CTN_LOG_CHECK | 1u << CTN_LOG_CONCRETISED |
                    1u << CTN_LOG_ASSUME | 1u << CTN_LOG_INDIRECT;
    return with >> kind & 1;
}

#define CTN_MOST_MARKED ((1ull << 17) - 1)

/* The mark behind a record that lies behind `mark`; not for those of coverage, which lie nowhere. */
static inline uint64_t ctn_mark(uint64_t mark, const ctn_record *record, uint64_t term)
{
    uint64_t count = mark & CTN_MOST_MARKED;
    uint64_t value = record->kind == CTN_LOG_SWITCH && record->aux == 0 ? 0 : record->value;
    uint64_t kind = (uint64_t)record->kind | (uint64_t)record->aux << 16 | (uint64_t)record->tu << 32;
    uint64_t digest = ctn_mixed(record->site | count << 32, term, kind, value, 0) << 17;
    uint64_t next = count < CTN_MOST_MARKED ? count + 1 : count;
    return ((mark & ~CTN_MOST_MARKED) + digest) | next;
}

#endif
