/* The expression table and the path log: both are appended to in the shared memory, so that what an
 * execution did is there even when it dies. Knows nothing of memory or of inputs. When the table is full,
 * values become concrete and the execution is marked; when the log is full, the execution ends. */
#include "cold.h"
#include "digest.h"
#include "rt.h"

#define SITE_BITS 14
#define SITE_SLOTS (1u << SITE_BITS)

__thread uint32_t __ctn_args[64];
__thread uint32_t __ctn_ret[8];
__thread const void *__ctn_byval[16];

RT_KEEP static ctn_node *nodes;
RT_KEEP static uint32_t node_limit;
RT_KEEP static ctn_record *records;
RT_KEEP static uint32_t record_limit;
/* Of the last record of this execution; whether all before it are known. */
RT_KEEP static uint64_t mark;
RT_KEEP static int is_marked;
/* Records per site in this execution; a slot is valid when its round is the current one. */
RT_KEEP_TABLE static struct { uint64_t where; uint32_t round, count; } site_counts[SITE_SLOTS];
RT_KEEP static uint32_t site_round;

void rt_labels_start(void)
{
    uint64_t node_count = rt_header->nodes_size / sizeof(ctn_node);
    uint64_t record_count = rt_header->log_size / sizeof(ctn_record);
    nodes = (ctn_node *)(CTN_SHM_BASE + rt_header->nodes_offset);
    records = (ctn_record *)(CTN_SHM_BASE + rt_header->log_offset);
    node_limit = node_count > CTN_MAX_NODE ? CTN_MAX_NODE : (uint32_t)node_count;
    record_limit = record_count > UINT32_MAX ? UINT32_MAX : (uint32_t)record_count;
    if (node_limit) nodes[0] = (ctn_node){.digest = CTN_NO_OPERAND};
    rt_labels_reset();
}

void rt_labels_reset(void)
{
    rt_header->node_count = 1;
    rt_header->log_count = 0;
    rt_header->data_used = 0;
    mark = 0;
    is_marked = 1;
    if (++site_round == 0) site_round = 1;
}

uint32_t rt_node(uint8_t op, uint8_t sub, uint16_t bits, uint32_t a, uint32_t b, uint32_t c, uint64_t x, uint64_t y)
{
    if (!nodes) return 0;
    uint32_t index = rt_header->node_count;
    if (__builtin_expect(index >= node_limit, 0)) {
        if (!(rt_header->notes & CTN_NOTE_TRUNCATED)) {
            rt_header->notes |= CTN_NOTE_TRUNCATED;
            rt_log(CTN_LOG_LOST, CTN_CONC_TABLE_FULL, 0, 0, 0, 0);
        }
        return 0;
    }
    ctn_node node = {op, sub, bits, a, b, c, x, y, 0};
    node.digest = ctn_digest(nodes, index, &node);
    nodes[index] = node;
    rt_header->node_count = index + 1;
    return index;
}

const ctn_node *rt_node_at(uint32_t label) { return &nodes[label < node_limit ? label : 0]; }

void rt_log(uint16_t kind, uint16_t aux, uint32_t tu, uint32_t site, uint32_t label, uint64_t value)
{
    if (!records) return;
    uint32_t index = rt_header->log_count;
    if (__builtin_expect(index >= record_limit, 0)) {
        rt_header->notes |= CTN_NOTE_TRUNCATED;
        rt_end(CTN_END_LOG_FULL, 0, tu, site, 0, 0);
    }
    ctn_record record = {kind, aux, tu, site, label, value, 0};
    int has_term = label && ctn_has_term(kind);
    uint64_t term = has_term ? ctn_digest_at(nodes, rt_header->node_count, label) : 0;
    if (has_term && !term) is_marked = 0;
    if (kind != CTN_LOG_COVER) mark = ctn_mark(mark, &record, term);
    record.mark = is_marked ? mark : 0;
    records[index] = record;
    rt_header->log_count = index + 1;
}

/* Sites beyond what the table holds count as new each time. */
uint32_t rt_repeats(uint64_t where)
{
    uint32_t slot = (uint32_t)((where * 0x9e3779b97f4a7c15ull) >> (64 - SITE_BITS));
    for (unsigned probe = 0; probe < 64; probe++, slot++) {
        __typeof__(site_counts[0]) *entry = &site_counts[slot & (SITE_SLOTS - 1)];
        if (entry->round != site_round) {
            entry->where = where;
            entry->round = site_round;
            entry->count = 0;
        } else if (entry->where != where) {
            continue;
        }
        return ++entry->count;
    }
    return 1;
}

/* Ends the execution when one site has filled its share of the log. */
static void count_site(uint64_t where)
{
    uint32_t limit = rt_header->site_limit;
    if (limit && rt_repeats(where) > limit)
        rt_end(CTN_END_LOG_FULL, 0, CTN_WHERE_TU(where), CTN_WHERE_SITE(where), 0, 0);
}

/* --- called by instrumented code --------------------------------------------------------------------- */

void __ctn_branch_cold(uint32_t taken, uint32_t label, uint64_t where)
{
    count_site(where);
    rt_log(CTN_LOG_BRANCH, 0, CTN_WHERE_TU(where), CTN_WHERE_SITE(where), label, taken);
    rt_decided(label);
}

void __ctn_switch_cold(uint32_t successor, uint32_t label, uint64_t value, uint64_t where)
{
    count_site(where);
    rt_log(CTN_LOG_SWITCH, (uint16_t)successor, CTN_WHERE_TU(where), CTN_WHERE_SITE(where), label, value);
}

void __ctn_cover_cold(uint8_t *covered, uint32_t tu, uint32_t counter)
{
    if (*covered) return; /* noted along with a later edge, it may be known from another one */
    *covered = 1;
    rt_log(CTN_LOG_COVER, 0, tu, counter, 0, 0);
}

void __ctn_indirect_cold(uint32_t label, uint64_t target, uint64_t where)
{
    rt_log(CTN_LOG_INDIRECT, 0, CTN_WHERE_TU(where), CTN_WHERE_SITE(where), label, target);
}

void __ctn_lost_cold(uint32_t kind, uint64_t where)
{
    if (rt_repeats(where) == 1) /* it says that something is lost here, not how often */
        rt_log(CTN_LOG_LOST, (uint16_t)kind, CTN_WHERE_TU(where), CTN_WHERE_SITE(where), 0, 0);
}

void __ctn_concretise_cold(uint32_t kind, uint32_t label, uint64_t value, uint64_t where)
{
    rt_log(CTN_LOG_CONCRETISED, (uint16_t)kind, CTN_WHERE_TU(where), CTN_WHERE_SITE(where), label, value);
}

void __ctn_capture_call(uint32_t tu, uint32_t function) { rt_log(CTN_LOG_ENTER, 0, tu, function, 0, 0); }
