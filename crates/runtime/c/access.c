/* The cold half of loads, stores and block moves: tells faults from symbolic data, puts values together
 * from the labels of their bytes, and expresses accesses through symbolic addresses. Objects beyond the
 * limits of the header, or unknown ones, are accessed at their concrete address, with a record. */
#include "cold.h"
#include "rt.h"

#define SNAPSHOT_SLOTS 256u
#define ORIGIN_STEPS 64u
#define NEAR_LEAST 16u
#define NEAR_MOST 128u

/* Pieces of memory, `width` bytes each, that begin `step` bytes apart: an object is one, the same member of all elements
 * of an array are many. */
typedef struct { uint64_t start, step, count, width; } extent;

/* The last snapshot of each extent, by its address; valid for one execution. */
RT_KEEP_TABLE static struct { extent of; uint64_t offset, execution; } snapshots[SNAPSHOT_SLOTS];

static uint64_t read_bytes(const void *p, unsigned n)
{
    uint64_t value = 0;
    __builtin_memcpy(&value, p, n);
    return value;
}

static uint32_t class_of(uint32_t poison)
{
    return poison == CTN_HEAP_FREED || poison == CTN_STACK_DEAD ? CTN_CLASS_USE_AFTER_FREE : CTN_CLASS_OUT_OF_BOUNDS;
}

static int is_poisoned(const void *p, uint64_t n)
{
    const uint32_t *s = rt_shadow(p);
    for (uint64_t i = 0; i < n; i++)
        if (s[i] >= CTN_POISON_FIRST) return 1;
    return 0;
}

/* Ends the execution if a byte is poisoned; else tells whether one is symbolic. */
static int look_at(const void *p, uint64_t n, uint64_t where)
{
    const uint32_t *s = rt_shadow(p);
    uint32_t any = 0;
    for (uint64_t i = 0; i < n; i++) {
        if (__builtin_expect(s[i] >= CTN_POISON_FIRST, 0))
            __ctn_violation(class_of(s[i]), where, (uint64_t)p + i);
        any |= s[i];
    }
    return any != 0;
}

/* The same through a symbolic address, of which it is this one that leads to a poisoned byte. */
static void look_through(uint32_t lp, const void *p, uint64_t n, uint32_t kind, uint64_t where)
{
    if (is_poisoned(p, n)) __ctn_concretise_cold(kind, lp, (uint64_t)p, where);
    look_at(p, n, where);
}

/* The same for an access at this very address. */
static int symbolic(const void *p, uint64_t n, uint64_t where)
{
    rt_check_end(p, n, 0, 0, where);
    return look_at(p, n, where);
}

/* --- values from bytes --------------------------------------------------------------------------------- */

typedef struct { uint32_t label; uint64_t value; unsigned bits; } part;

/* The longest run of bytes that is one piece of a node, or is concrete; at most 8 bytes. */
static part next_part(const uint32_t *labels, const uint8_t *bytes, unsigned n)
{
    unsigned run = 1;
    if (n > 8) n = 8;
    if (labels[0] == 0) {
        while (run < n && labels[run] == 0) run++;
        return (part){0, read_bytes(bytes, run), run * 8};
    }
    while (run < n && (labels[0] & 7) + run < 8 && labels[run] == labels[0] + run) run++;
    uint32_t node = labels[0] >> 3, byte = labels[0] & 7;
    uint16_t width = rt_node_at(node)->bits;
    if (byte == 0 && width == run * 8) return (part){node, 0, width};
    return (part){rt_node(CTN_OP_EXTRACT, 0, (uint16_t)(run * 8), node, 0, 0, byte * 8, 0), 0, run * 8};
}

uint32_t rt_value_of(const uint32_t *labels, const uint8_t *bytes, unsigned n)
{
    part low = next_part(labels, bytes, n);
    while (low.bits < n * 8) {
        unsigned done = low.bits / 8;
        part high = next_part(labels + done, bytes + done, n - done);
        unsigned bits = low.bits + high.bits;
        if (!low.label && !high.label && bits > 64) /* constants that fill more than a word: a node */
            low.label = rt_node(CTN_OP_CONST, 0, (uint16_t)low.bits, 0, 0, 0, low.value, 0);
        low.label = rt_node(CTN_OP_CONCAT, 0, (uint16_t)bits, high.label, low.label, low.bits, high.value, low.value);
        low.bits = bits;
        low.value = 0;
    }
    return low.label;
}

static uint32_t load_plain(const void *p, unsigned n, uint64_t where)
{
    return symbolic(p, n, where) ? rt_settled(rt_value_of(rt_shadow(p), p, n)) : 0;
}

/* --- symbolic addresses -------------------------------------------------------------------------------- */

static uint64_t round_up(uint64_t n, uint64_t to) { return (n + to - 1) & ~(to - 1); }

static int same_extent(const extent *a, const extent *b)
{
    return a->start == b->start && a->step == b->step && a->count == b->count && a->width == b->width;
}

static int same_snapshot(const ctn_snapshot *old, const extent *of)
{
    const rt_global *global = rt_global_at(of->start);
    if (global && global->is_const) return 1;
    const uint8_t *contents = (const uint8_t *)(old + 1);
    const uint32_t *old_labels = (const uint32_t *)(contents + round_up(of->count * of->width, 4));
    for (uint64_t i = 0, at = of->start; i < of->count; i++, at += of->step) {
        const uint32_t *labels = rt_shadow((void *)at);
        if (__builtin_memcmp(contents + i * of->width, (void *)at, of->width) != 0) return 0;
        for (uint64_t k = 0; k < of->width; k++)
            if (labels[k] != (old->labelled ? old_labels[i * of->width + k] : 0)) return 0;
    }
    return 1;
}

/* Offset in the data region of what the extent holds now, its pieces side by side; UINT64_MAX when the region is full. */
static uint64_t snapshot(extent of)
{
    uint8_t *data = (uint8_t *)(CTN_SHM_BASE + rt_header->data_offset);
    __typeof__(snapshots[0]) *slot = &snapshots[(of.start * 0x9e3779b97f4a7c15ull) >> 56];
    if (same_extent(&slot->of, &of) && slot->execution == rt_header->executions &&
        same_snapshot((const ctn_snapshot *)(data + slot->offset), &of))
        return slot->offset;

    uint64_t size = of.count * of.width;
    uint32_t labelled = 0;
    for (uint64_t i = 0; i < of.count; i++)
        for (uint64_t k = 0; k < of.width; k++) labelled |= rt_shadow((void *)(of.start + i * of.step))[k];
    uint64_t offset = round_up(rt_header->data_used, 8);
    uint64_t needed = sizeof(ctn_snapshot) + round_up(size, 4) + (labelled ? size * 4 : 0);
    if (offset + needed > rt_header->data_size) {
        rt_header->notes |= CTN_NOTE_TRUNCATED;
        return UINT64_MAX;
    }
    *(ctn_snapshot *)(data + offset) = (ctn_snapshot){of.start, (uint32_t)size, labelled != 0};
    uint8_t *contents = data + offset + sizeof(ctn_snapshot);
    uint32_t *labels = (uint32_t *)(contents + round_up(size, 4));
    for (uint64_t i = 0; i < of.count; i++) {
        const void *piece = (const void *)(of.start + i * of.step);
        __builtin_memcpy(contents + i * of.width, piece, of.width);
        if (labelled) __builtin_memcpy(labels + i * of.width, rt_shadow(piece), of.width * 4);
    }
    rt_header->data_used = offset + needed;
    *slot = (__typeof__(*slot)){of, offset, rt_header->executions};
    return offset;
}

/* A pointer that is not some base plus something symbolic could be null. */
static void check_null(uint32_t lp, uint64_t p, uint64_t where)
{
    const ctn_node *node = rt_node_at(lp);
    if (node->op == CTN_OP_ADD && (!node->a || !node->b)) return;
    if (rt_check_wanted(CTN_CLASS_NULL_DEREFERENCE))
        rt_check(CTN_CLASS_NULL_DEREFERENCE, rt_node(CTN_OP_EQ, 0, 1, lp, 0, 64, 0, 0), p == 0, where);
}

/* n bytes of an element of an array in the object, whose index has just been checked: the same bytes of all elements, and
 * the label of the index. */
static uint32_t checked_element(uint32_t lp, uint64_t n, uint64_t base, uint64_t size, extent *places)
{
    const ctn_node *sum = rt_node_at(lp);
    uint64_t member = 0, count, stride = 1;
    while (sum->op == CTN_OP_ADD && sum->a && !sum->b) {
        member += sum->y;
        sum = rt_node_at(sum->a);
    }
    if (sum->op != CTN_OP_ADD || sum->a || !sum->b) return 0;
    const ctn_node *product = rt_node_at(sum->b);
    uint32_t index = sum->b;
    if (product->op == CTN_OP_MUL && product->a && !product->b) {
        index = product->a;
        stride = product->y;
    }
    if (!rt_index_checked(index, &count) || !count || !stride || n > stride) return 0;
    uint64_t first = sum->x + member - base;
    if (first > size || n > size - first || count - 1 > (size - first - n) / stride) return 0;
    *places = (extent){base + first, stride, count, n};
    return index;
}

/* The access stays inside the object: recorded as a check, and what follows relies on it. */
static void check_inside(uint32_t lp, uint64_t p, uint64_t n, uint64_t base, uint64_t size, uint64_t where)
{
    extent places;
    if (!rt_check_wanted(CTN_CLASS_OUT_OF_BOUNDS) || checked_element(lp, n, base, size, &places)) return;
    uint32_t offset = rt_node(CTN_OP_SUB, 0, 64, lp, 0, 0, 0, base);
    if (!offset) return;
    uint32_t outside = rt_node(CTN_OP_ULT, 0, 1, 0, offset, 64, size - n, 0);
    rt_check(CTN_CLASS_OUT_OF_BOUNDS, outside, p - base > size - n, where);
}

/* The object that an address was computed from: the constant that symbolic offsets were added to. */
static int origin_of(uint32_t lp, uint64_t *base, uint64_t *size)
{
    for (unsigned steps = 0; lp && steps < ORIGIN_STEPS; steps++) {
        const ctn_node *node = rt_node_at(lp);
        if (node->op != CTN_OP_ADD) return 0;
        if (!node->a) return rt_object((const void *)node->x, base, size);
        lp = node->a;
    }
    return 0;
}

/* Memory that lies in no redzone may still not be that of the object: far from it there are others. One record lets the
 * search look for an offset that stays inside, the next one for an offset as near as the sanitizers of a replay see. */
static void check_origin(uint32_t lp, uint64_t p, uint64_t n, uint64_t where)
{
    uint64_t base, size;
    if (!rt_check_wanted(CTN_CLASS_OUT_OF_BOUNDS) || !origin_of(lp, &base, &size)) return;
    if (n > size || p - base <= size - n) return;
    check_inside(lp, p, n, base, size, where);
    uint64_t after = size / 8 < NEAR_LEAST ? NEAR_LEAST : size / 8 > NEAR_MOST ? NEAR_MOST : size / 8;
    uint64_t from = base - NEAR_LEAST, room = NEAR_LEAST + size - n + after;
    uint32_t offset = rt_node(CTN_OP_SUB, 0, 64, lp, 0, 0, 0, from);
    if (offset)
        rt_check(CTN_CLASS_OUT_OF_BOUNDS, rt_node(CTN_OP_ULT, 0, 1, 0, offset, 64, room, 0), p - from > room, where);
    __ctn_violation(CTN_CLASS_OUT_OF_BOUNDS, where, p);
}

/* The object that n bytes at p lie in, all of it, and how much of it is there. */
static int object_of(const void *p, uint64_t n, uint64_t *base, uint64_t *size, uint64_t *there)
{
    if (!rt_object(p, base, size) || *size < n || (uint64_t)p - *base > *size - n) return 0;
    *there = rt_end_of(*base, *size);
    return 1;
}

/* How many low bits of a node are the same for all inputs. */
static unsigned fixed_low_bits(uint32_t label, unsigned depth)
{
    const ctn_node *node = rt_node_at(label);
    if (!depth) return 0;
    unsigned a = node->a ? fixed_low_bits(node->a, depth - 1) : 64;
    unsigned b;
    switch (node->op) {
    case CTN_OP_CONST: return 64;
    case CTN_OP_ZEXT:
    case CTN_OP_SEXT: return a;
    case CTN_OP_ADD:
    case CTN_OP_SUB:
        b = node->b ? fixed_low_bits(node->b, depth - 1) : 64;
        return a < b ? a : b;
    case CTN_OP_MUL:
        if (node->b || !node->y) return 0;
        return a + (unsigned)__builtin_ctzll(node->y);
    case CTN_OP_SHL: return node->b ? 0 : a + (unsigned)node->y;
    default: return 0;
    }
}

/* How large an object may be that a read is expressed over. The contents of constant tables are the same in each execution,
 * and nothing in them is symbolic: they cost less. */
static uint64_t readable(uint64_t base)
{
    const rt_global *global = rt_global_at(base);
    return global && global->is_const ? 8ull * rt_header->read_limit : rt_header->read_limit;
}

/* The value at a place of the object that the address says. */
static uint32_t read_object(uint32_t lp, unsigned n, uint64_t base, uint64_t there)
{
    uint64_t at = snapshot((extent){base, there, 1, there});
    return at == UINT64_MAX ? 0 : rt_node(CTN_OP_READ, 0, (uint16_t)(n * 8), lp, 0, 0, base, at);
}

/* The same in an object that is too large to be looked at as a whole, where the address is an element of an array in it. */
static uint32_t read_element(uint32_t lp, unsigned n, uint64_t base, uint64_t there)
{
    extent places;
    uint32_t index = checked_element(lp, n, base, there, &places);
    if (!index || places.count > readable(base) / n) return 0;
    for (uint64_t i = 0; i < places.count; i++)
        if (is_poisoned((void *)(places.start + i * places.step), n)) return 0;
    uint64_t at = snapshot(places);
    uint32_t offset = n == 1 ? index : rt_node(CTN_OP_MUL, 0, 64, index, 0, 0, 0, n);
    return at == UINT64_MAX || !offset ? 0 : rt_node(CTN_OP_READ, 0, (uint16_t)(n * 8), offset, 0, 0, 0, at);
}

static uint32_t load_symbolic(const void *p, unsigned n, uint32_t lp, uint64_t where)
{
    uint64_t base, size, there;
    check_null(lp, (uint64_t)p, where);
    check_origin(lp, (uint64_t)p, n, where);
    rt_check_end(p, n, lp, 0, where);
    look_through(lp, p, n, CTN_CONC_LOAD_ADDRESS, where);
    if (object_of(p, n, &base, &size, &there)) {
        check_inside(lp, (uint64_t)p, n, base, size, where);
        uint32_t label = there <= readable(base) ? read_object(lp, n, base, there) : read_element(lp, n, base, there);
        if (label) return label;
    }
    __ctn_concretise_cold(CTN_CONC_LOAD_ADDRESS, lp, (uint64_t)p, where);
    return load_plain(p, n, where);
}

/* Each of the places holds the new value if the address is that place, else what it held. */
static int store_at(extent places, uint32_t lp, uint32_t lv, uint64_t value, uint64_t where)
{
    unsigned n = (unsigned)places.width;
    for (uint64_t i = 0, at = places.start; i < places.count; i++, at += places.step) {
        void *place = (void *)at;
        uint32_t here = rt_node(CTN_OP_EQ, 0, 1, lp, 0, 64, 0, at);
        uint32_t old = look_at(place, n, where) ? rt_value_of(rt_shadow(place), place, n) : 0;
        uint32_t new = here ? rt_node(CTN_OP_ITE, 0, (uint16_t)(n * 8), here, lv, old, lv ? 0 : value,
                                      old ? 0 : read_bytes(place, n)) : 0;
        if (!new) return 0;
        rt_label_bytes(place, new, n);
    }
    return 1;
}

/* Places are n bytes apart when the address is known to be so aligned in the object, else single bytes. Of a large object
 * they are the elements of the array that the address is in. */
static int store_symbolic(void *p, unsigned n, uint32_t lp, uint32_t lv, uint64_t value, uint64_t where)
{
    uint64_t base, size, there;
    if (!object_of(p, n, &base, &size, &there)) return 0;
    check_inside(lp, (uint64_t)p, n, base, size, where);
    if (n > 8) return 0;
    if (there > rt_header->write_limit) {
        extent places;
        return checked_element(lp, n, base, there, &places) && places.count <= rt_header->write_limit / n &&
               store_at(places, lp, lv, value, where);
    }
    unsigned fixed = fixed_low_bits(lp, 16);
    uint64_t step = fixed >= 12 ? 4096 : 1ull << fixed;
    uint64_t first = ((uint64_t)p - base) % step;
    if (step >= n) {
        uint64_t count = first + n > there ? 0 : (there - first - n) / step + 1;
        return store_at((extent){base + first, step, count, n}, lp, lv, value, where);
    }
    uint32_t byte[8];
    for (unsigned k = 0; k < n; k++)
        byte[k] = lv ? rt_node(CTN_OP_EXTRACT, 0, 8, lv, 0, 0, k * 8, 0) : 0;
    for (uint64_t at = first; at + n <= there; at += step) {
        uint32_t here = rt_node(CTN_OP_EQ, 0, 1, lp, 0, 64, 0, base + at);
        for (unsigned k = 0; k < n; k++) {
            uint8_t *place = (uint8_t *)base + at + k;
            uint32_t old = *rt_shadow(place) ? rt_value_of(rt_shadow(place), place, 1) : 0;
            uint32_t new = here ? rt_node(CTN_OP_ITE, 0, 8, here, byte[k], old, byte[k] ? 0 : (uint8_t)(value >> 8 * k),
                                          old ? 0 : *place) : 0;
            if (!new) return 0;
            rt_label_bytes(place, new, 1);
        }
    }
    return 1;
}

/* --- called by instrumented code --------------------------------------------------------------------- */

uint32_t __ctn_load_cold(const void *p, uint64_t n, uint32_t lp, uint64_t where)
{
    lp = rt_followed(lp, where);
    return lp ? load_symbolic(p, (unsigned)n, lp, where) : load_plain(p, (unsigned)n, where);
}

/* Values of up to 8 bytes are one node; wider ones are cut, because a memory label names 8 bytes at most. */
static void set_labels(void *p, uint64_t n, uint32_t lv)
{
    if (n <= 8 || !lv) {
        if (lv) rt_label_bytes(p, lv, (unsigned)n);
        else rt_unpoison(p, n);
        return;
    }
    for (uint64_t at = 0; at < n; at += 8) {
        unsigned piece = n - at < 8 ? (unsigned)(n - at) : 8;
        rt_label_bytes((char *)p + at, rt_node(CTN_OP_EXTRACT, 0, (uint16_t)(piece * 8), lv, 0, 0, at * 8, 0), piece);
    }
}

void __ctn_store_cold(void *p, uint64_t n, uint32_t lp, uint32_t lv, uint64_t value, uint64_t where)
{
    lp = rt_followed(lp, where);
    if (lp) {
        check_null(lp, (uint64_t)p, where);
        check_origin(lp, (uint64_t)p, n, where);
    }
    rt_check_end(p, n, lp, 0, where);
    if (lp) {
        look_through(lp, p, n, CTN_CONC_STORE_ADDRESS, where);
        if (store_symbolic(p, (unsigned)n, lp, lv, value, where)) return;
        __ctn_concretise_cold(CTN_CONC_STORE_ADDRESS, lp, (uint64_t)p, where);
    } else {
        look_at(p, n, where);
    }
    set_labels(p, n, lv);
}

void __ctn_load_opaque_cold(const void *p, uint64_t n, uint32_t lp, uint64_t where)
{
    lp = rt_followed(lp, where);
    if (lp) __ctn_concretise_cold(CTN_CONC_LOAD_ADDRESS, lp, (uint64_t)p, where);
    if (symbolic(p, n, where)) __ctn_lost_cold(CTN_CONC_UNSUPPORTED_TYPE, where);
}

void __ctn_store_opaque_cold(void *p, uint64_t n, uint32_t lp, uint64_t where)
{
    lp = rt_followed(lp, where);
    if (lp) __ctn_concretise_cold(CTN_CONC_STORE_ADDRESS, lp, (uint64_t)p, where);
    if (symbolic(p, n, where)) rt_unpoison(p, n);
}

static int touched(const void *p, uint64_t n)
{
    const uint32_t *s = rt_shadow(p);
    uint32_t any = 0;
    for (uint64_t i = 0; i < n; i++) any |= s[i];
    return any != 0;
}

/* One side of a block move: the search may look for a length or an address that leaves the object. */
static void check_block(const void *p, uint64_t n, uint32_t lp, uint32_t ln, uint32_t kind, uint64_t where)
{
    uint64_t base, size, at = (uint64_t)p;
    if (n) lp = rt_followed(lp, where);
    if (lp && n && !ln) check_origin(lp, at, n, where);
    if (rt_object(p, &base, &size) && rt_check_wanted(CTN_CLASS_OUT_OF_BOUNDS)) {
        uint64_t room = base + size - at;
        if (lp && n <= size) check_inside(lp, at, n, base, size, where);
        if (ln) {
            uint32_t beyond = rt_node(CTN_OP_ULT, 0, 1, 0, ln, rt_node_at(ln)->bits, room, 0);
            rt_check(CTN_CLASS_OUT_OF_BOUNDS, beyond, n > room, where);
            rt_check_end(p, n, lp, ln, where);
        }
    }
    if (lp) __ctn_concretise_cold(kind, lp, at, where);
}

void __ctn_memcpy_call(void *to, const void *from, uint64_t n, uint32_t lto, uint32_t lfrom, uint32_t ln, uint64_t where)
{
    if (lto | lfrom | ln) {
        check_block(to, n, lto, ln, CTN_CONC_STORE_ADDRESS, where);
        check_block(from, n, lfrom, ln, CTN_CONC_LOAD_ADDRESS, where);
        if (ln) __ctn_concretise_cold(CTN_CONC_LENGTH, ln, n, where);
    }
    if (!n || n > CTN_SHADOW_MASK >> 4) return; /* absurd lengths fault by themselves */
    int source = touched(from, n) && symbolic(from, n, where);
    int target = touched(to, n) && symbolic(to, n, where);
    if (source | target) rt_copy_labels(to, from, n);
}

void __ctn_memset_call(void *to, uint64_t n, uint32_t lto, uint32_t lvalue, uint32_t ln, uint64_t where)
{
    if (lto | ln) {
        check_block(to, n, lto, ln, CTN_CONC_STORE_ADDRESS, where);
        if (ln) __ctn_concretise_cold(CTN_CONC_LENGTH, ln, n, where);
    }
    if (!n || n > CTN_SHADOW_MASK >> 4) return;
    int target = touched(to, n) && symbolic(to, n, where);
    if (lvalue)
        for (uint64_t i = 0; i < n; i++) rt_label_bytes((char *)to + i, lvalue, 1);
    else if (target)
        rt_unpoison(to, n);
}

/* A struct passed by value is a copy at a new place: it takes the labels of what it was copied from. */
void __ctn_byval_enter_call(void *to, uint64_t n, uint32_t argument)
{
    const void *from = __ctn_byval[argument & 15];
    if (from && (touched(from, n) || touched(to, n))) rt_copy_labels(to, from, n);
    else if (!from && touched(to, n)) rt_unpoison(to, n);
    __ctn_byval[argument & 15] = 0;
}
