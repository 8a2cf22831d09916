/* Input slots: drivers, stubs and models ask for a value by path; the explorer's input region answers, zero
 * if it does not know the slot. What is handed out is made symbolic and noted in the log. The name of each
 * slot goes to the names region the first time a server sees it. */
#define _GNU_SOURCE
#include "host.h"

#include <string.h>
#include <sys/mman.h>

#define NAME_MAX_LENGTH 1000

/* How often each slot was asked for: one table per process, emptied by counting the generation. */
#define COUNTS (1u << 20)
typedef struct { uint64_t hash; uint32_t generation, seen; } slot_count;
RT_KEEP static slot_count *counts;
RT_KEEP static uint32_t generation, distinct;

/* Slots whose names are written: shared with all workers, so that each is written once. */
#define KNOWN (1u << 17)
RT_KEEP static uint64_t *known;

static void *map(uint64_t bytes, int sharing)
{
    void *p = mmap(0, bytes, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        host_fail("cannot map the slot tables", "");
    return p;
}

void host_input_start(void)
{
    counts = map(COUNTS * sizeof *counts, MAP_PRIVATE);
    known = map(KNOWN * sizeof *known, MAP_SHARED);
}

void rt_input_reset(void)
{
    generation++;
    distinct = 0;
}

/* --- paths ----------------------------------------------------------------------------------------------- */

/* Hashes are made at every question, names only when a server hears of a slot for the first time. */

static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (uint8_t)*text) * 0x100000001b3ull;
    return hash;
}

/* [index], in the last bytes of `room`. */
static const char *index_text(char room[24], long index)
{
    char *d = room + 23;
    unsigned long rest = index < 0 ? 0ul - (unsigned long)index : (unsigned long)index;
    *d = 0;
    *--d = ']';
    do
        *--d = (char)('0' + rest % 10);
    while (rest /= 10);
    if (index < 0)
        *--d = '-';
    *--d = '[';
    return d;
}

static uint64_t hash_path(const ctn_path *at)
{
    char room[24];
    uint64_t hash = at->up ? hash_path(at->up) : 0xcbf29ce484222325ull;
    return hash_text(hash, at->name ? at->name : index_text(room, at->index));
}

/* Writes as much as there is room for; gives the length so far. */
static uint64_t print_path(char *to, uint64_t most, const ctn_path *at)
{
    char room[24];
    uint64_t length = at->up ? print_path(to, most, at->up) : 0;
    for (const char *text = at->name ? at->name : index_text(room, at->index); *text && length < most; text++)
        to[length++] = *text;
    return length;
}

static void remember_name(uint64_t hash, const ctn_path *path)
{
    uint32_t at = (uint32_t)(hash >> 20) & (KNOWN - 1);
    for (unsigned probes = 0; known[at] != hash; probes++, at = (at + 1) & (KNOWN - 1)) {
        if (probes == 64)
            return; /* very many slots: the rest stay nameless */
        if (known[at])
            continue;
        uint64_t used = rt_header->names_used;
        if (used > rt_header->names_size || rt_header->names_size - used < sizeof(ctn_name_entry))
            return;
        char *to = (char *)(CTN_SHM_BASE + rt_header->names_offset + used);
        uint64_t room = rt_header->names_size - used - sizeof(ctn_name_entry);
        uint64_t most = room < NAME_MAX_LENGTH ? room : NAME_MAX_LENGTH;
        uint64_t length = print_path(to + sizeof(ctn_name_entry), most, path);
        uint64_t need = (sizeof(ctn_name_entry) + length + 7) & ~7ull;
        if ((length == most && most < NAME_MAX_LENGTH) || rt_header->names_size - used < need)
            return;
        *(ctn_name_entry *)to = (ctn_name_entry){hash, (uint32_t)length, 0};
        known[at] = hash;
        rt_header->names_used = used + need;
        return;
    }
}

static uint32_t occurrence(uint64_t hash)
{
    uint32_t at = (uint32_t)(hash >> 32) & (COUNTS - 1);
    while (counts[at].generation == generation && counts[at].hash != hash)
        at = (at + 1) & (COUNTS - 1);
    if (counts[at].generation != generation) {
        if (++distinct > COUNTS / 2) {
            host_text("more input slots than an execution may have");
            rt_end(CTN_END_LOG_FULL, 0, 0, 0, 0, 0);
        }
        counts[at] = (slot_count){hash, generation, 0};
    }
    return counts[at].seen++;
}

/* --- values ---------------------------------------------------------------------------------------------- */

typedef struct { const uint8_t *bytes; uint64_t length; uint64_t hash; uint32_t occurrence; } stored;

static stored ask(const ctn_path *at)
{
    uint64_t hash = hash_path(at);
    remember_name(hash, at);
    stored found = {0, 0, hash, occurrence(hash)};

    const char *region = (const char *)(CTN_SHM_BASE + rt_header->input_offset);
    const ctn_input_entry *entries = (const void *)(region + 8);
    uint32_t low = 0, high = *(const uint32_t *)region;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const ctn_input_entry *e = &entries[middle];
        if (e->hash == found.hash && e->occurrence == found.occurrence) {
            found.bytes = (const uint8_t *)region + e->offset;
            found.length = e->length;
            break;
        }
        if (e->hash < found.hash || (e->hash == found.hash && e->occurrence < found.occurrence))
            low = middle + 1;
        else
            high = middle;
    }
    return found;
}

static uint64_t element(const stored *from, uint64_t i, unsigned size)
{
    uint64_t value = 0, offset = i * size;
    for (unsigned b = 0; b < size; b++)
        if (offset + b < from->length)
            value |= (uint64_t)from->bytes[offset + b] << (8 * b);
    return value;
}

/* The nodes of the elements follow one another: returns the first, and in *count how many there are. */
static uint32_t make_nodes(const stored *slot, unsigned size, uint64_t *count)
{
    uint64_t n = 0;
    uint32_t first = 0;
    for (; n < *count; n++) {
        uint32_t node = rt_node(CTN_OP_INPUT, 0, (uint16_t)(8 * size), slot->occurrence, (uint32_t)n, 0, slot->hash, 0);
        if (!node || (first && node != first + n))
            break; /* the table is full: the rest is concrete */
        if (!first)
            first = node;
    }
    *count = n;
    if (n)
        rt_log(CTN_LOG_INPUT, (uint16_t)(8 * size), slot->occurrence, (uint32_t)n, first, slot->hash);
    return first;
}

static int is_element_size(unsigned long size) { return size == 1 || size == 2 || size == 4 || size == 8; }

static void fill(void *p, unsigned size, uint64_t count, const ctn_path *at)
{
    stored slot = ask(at);
    uint8_t *to = p;
    uint64_t bytes = size * count, have = slot.length < bytes ? slot.length : bytes;
    if (have)
        memcpy(to, slot.bytes, have);
    memset(to + have, 0, bytes - have);
    uint64_t symbolic = count;
    uint32_t first = make_nodes(&slot, size, &symbolic);
    rt_label_elements(to, first, size, symbolic);
    if (symbolic < count)
        rt_unpoison(to + symbolic * size, (count - symbolic) * size);
}

void ctn_value(void *p, unsigned long size, const ctn_path *at)
{
    if (is_element_size(size))
        fill(p, (unsigned)size, 1, at);
    else
        fill(p, 1, size, at);
}

void ctn_array(void *p, unsigned long size, unsigned long count, const ctn_path *at)
{
    if (is_element_size(size))
        fill(p, (unsigned)size, count, at);
    else
        fill(p, 1, size * count, at);
}

static uint64_t word(const ctn_path *at, unsigned size, uint32_t *label)
{
    stored slot = ask(at);
    uint64_t one = 1;
    *label = make_nodes(&slot, size, &one);
    return element(&slot, 0, size);
}

unsigned long long ctn_bits(unsigned width, const ctn_path *at)
{
    unsigned size = width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : 8;
    uint32_t label;
    uint64_t value = word(at, size, &label);
    if (label && width < 8 * size)
        label = rt_node(CTN_OP_EXTRACT, 0, (uint16_t)width, label, 0, 0, 0, 0);
    if (label && width < 64)
        label = rt_node(CTN_OP_ZEXT, 0, 64, label, 0, 0, 0, 0);
    __ctn_ret[0] = label;
    return width < 64 ? value & ((1ull << width) - 1) : value;
}

static void assume(uint32_t condition, int holds, uint16_t why)
{
    if (condition)
        rt_log(CTN_LOG_ASSUME, why, 0, 0, condition, (uint64_t)holds);
    if (!holds)
        rt_end(CTN_END_ASSUMPTION_FAILED, 0, 0, 0, 0, 0);
}

static unsigned bytes_below(unsigned n) { return n <= 1u << 8 ? 1 : n <= 1u << 16 ? 2 : 4; }

/* The condition that a word of `size` bytes is less than n; no label where it cannot be otherwise. */
static uint32_t is_below(uint32_t label, unsigned size, unsigned n)
{
    if (!label || (size < 4 && n == 1u << (8 * size))) return 0;
    return rt_node(CTN_OP_ULT, 0, 1, label, 0, 8 * size, 0, n);
}

static unsigned give_word(uint64_t value, uint32_t label, unsigned size)
{
    if (label && size < 4)
        label = rt_node(CTN_OP_ZEXT, 0, 32, label, 0, 0, 0, 0);
    __ctn_ret[0] = label;
    return (unsigned)value;
}

/* Values out of range are the default: no input is wasted, and a driver that chooses a hundred times needs no search
 * for an input that is valid. */
unsigned ctn_choice(unsigned n, const ctn_path *at)
{
    unsigned size = bytes_below(n);
    uint32_t label;
    uint64_t value = word(at, size, &label);
    uint32_t in_range = is_below(label, size, n);
    if (in_range)
        label = rt_node(CTN_OP_ITE, 0, (uint16_t)(8 * size), in_range, label, 0, 0, 0);
    return give_word(value < n ? value : 0, label, size);
}

void *ctn_or_null(void *p, const ctn_path *at)
{
    uint32_t label = 0;
    int is_null = p && word(CTN_NAME(at, "?null"), 1, &label) == 1;
    if (label)
        label = rt_node(CTN_OP_EQ, 0, 1, label, 0, 8, 0, 1);
    __ctn_ret[0] = rt_nullable((uint64_t)p, label, is_null);
    return is_null ? 0 : p;
}

unsigned ctn_count(unsigned n, const ctn_path *at)
{
    unsigned size = bytes_below(n);
    uint32_t label;
    uint64_t value = word(at, size, &label);
    assume(is_below(label, size, n), value < n || n == 0, CTN_ASSUMED_LIMIT);
    return give_word(value, label, size);
}

unsigned ctn_setting(const ctn_path *at)
{
    uint32_t label;
    uint64_t value = word(at, 1, &label);
    __ctn_ret[0] = 0;
    return (unsigned)value;
}

uint32_t host_input_word(const char *slot, uint32_t *label)
{
    return (uint32_t)word(CTN_ROOT(slot), 4, label);
}

static void keep_to(int condition, uint16_t why)
{
    uint32_t label = __ctn_args[0];
    if (label)
        label = rt_node(CTN_OP_NE, 0, 1, label, 0, 32, 0, 0);
    assume(label, condition != 0, why);
    rt_decided(label);
    __ctn_ret[0] = 0;
}

void ctn_assume(int condition) { keep_to(condition, CTN_ASSUMED_FACT); }
void ctn_limit(int condition) { keep_to(condition, CTN_ASSUMED_LIMIT); }

void ctn_stop(void)
{
    rt_end(CTN_END_RETURNED, 0, 0, 0, 0, 0);
}
