/* Texts that are compared at once. Where a text of the program is compared with one of the input, the difference at the
 * first place that has one is an expression over the input: then the only branch is the caller's. */
#include <stddef.h>

#include "rt.h"

#define MOST_PLACES 64u

/* Whether a pointer is the same for all inputs of this path. */
static int is_fixed(uint32_t label)
{
    while (label && rt_node_at(label)->op == CTN_OP_ADD && !rt_node_at(label)->b) label = rt_node_at(label)->a;
    return !rt_settled(label);
}

/* Whether one of n bytes is symbolic, as far as the object goes. */
static int is_of_input(const uint8_t *p, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        uint32_t label = *rt_shadow(p + i);
        if (label) return label < CTN_POISON_FIRST;
    }
    return 0;
}

/* How many bytes at p are there whatever the input; 0 where that is not known. */
static uint64_t room(const uint8_t *p)
{
    uint64_t base, size;
    int ends_at_input = rt_end_of((uint64_t)p, UINT64_MAX) != UINT64_MAX;
    return !ends_at_input && rt_object(p, &base, &size) ? base + size - (uint64_t)p : 0;
}

/* At each place one of the two bytes is known. A known end is at the last one, so that no other end is passed. */
size_t ctn_places(const void *a, const void *b, size_t most, int is_text)
{
    const uint8_t *x = a, *y = b;
    int are_fixed = is_fixed(__ctn_args[0]) && is_fixed(__ctn_args[1]) && !__ctn_args[2];
    uint64_t n = most < MOST_PLACES ? most : MOST_PLACES;
    __ctn_ret[0] = 0;
    if (!are_fixed || (!is_of_input(x, n) && !is_of_input(y, n))) return 0;
    uint64_t room_x = room(x), room_y = room(y);
    if (room_x < n) n = room_x;
    if (room_y < n) n = room_y;
    for (uint64_t i = 0; i < n; i++) {
        uint32_t lx = *rt_shadow(x + i), ly = *rt_shadow(y + i);
        if (lx >= CTN_POISON_FIRST || ly >= CTN_POISON_FIRST || (lx && ly)) return 0;
        int ends = (!lx && !x[i]) || (!ly && !y[i]);
        if ((is_text && ends) || i + 1 == most) return i + 1;
    }
    return 0;
}

int ctn_select(_Bool condition, int then, int otherwise)
{
    uint32_t lc = __ctn_args[0], lt = __ctn_args[1], lo = __ctn_args[2];
    if (!lc) __ctn_ret[0] = condition ? lt : lo;
    else __ctn_ret[0] = rt_node(CTN_OP_ITE, 0, 32, lc, lt, lo, lt ? 0 : (uint32_t)then, lo ? 0 : (uint32_t)otherwise);
    return condition ? then : otherwise;
}
