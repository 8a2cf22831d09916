/* An oracle for labels: evaluates every node with the inputs of the execution and compares what the log says
 * was true, and what memory holds in the end, with what the nodes say. Nodes come after their operands, so one pass over the table does it. */
#include "evaluate.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 wide;
typedef __int128 swide;

static wide *values;

static wide mask(unsigned bits) { return bits >= 128 ? ~(wide)0 : ((wide)1 << bits) - 1; }

static swide sign(wide v, unsigned bits)
{
    return bits >= 128 ? (swide)v : (swide)(v << (128 - bits)) >> (128 - bits);
}

static double real(wide v, unsigned bits)
{
    if (bits == 32) {
        uint32_t pattern = (uint32_t)v;
        float f;
        memcpy(&f, &pattern, 4);
        return f;
    }
    uint64_t pattern = (uint64_t)v;
    double d;
    memcpy(&d, &pattern, 8);
    return d;
}

static wide pattern(double d, unsigned bits)
{
    uint64_t p = 0;
    float f = (float)d;
    if (bits == 32) memcpy(&p, &f, 4);
    else memcpy(&p, &d, 8);
    return p;
}

static int overflows(unsigned op, wide a, wide b, unsigned bits)
{
    swide x = sign(a, bits), y = sign(b, bits), s;
    wide u;
    switch (op) {
    case CTN_OP_SADDO: return __builtin_add_overflow(x, y, &s) || s != sign((wide)s, bits);
    case CTN_OP_SSUBO: return __builtin_sub_overflow(x, y, &s) || s != sign((wide)s, bits);
    case CTN_OP_SMULO: return __builtin_mul_overflow(x, y, &s) || s != sign((wide)s, bits);
    case CTN_OP_UADDO: return __builtin_add_overflow(a, b, &u) || u != (u & mask(bits));
    case CTN_OP_USUBO: return a < b;
    default: return __builtin_mul_overflow(a, b, &u) || u != (u & mask(bits));
    }
}

static wide read_object(const ctn_node *n, const char *data, uint64_t address)
{
    const ctn_snapshot *snapshot = (const void *)(data + n->y);
    const uint8_t *contents = (const uint8_t *)(snapshot + 1);
    const uint32_t *labels = (const uint32_t *)(contents + ((snapshot->size + 3u) & ~3u));
    uint64_t offset = address - snapshot->base;
    wide result = 0;
    if (offset + n->bits / 8 > snapshot->size) return 0;
    for (unsigned i = 0; i < n->bits / 8u; i++) {
        uint32_t label = snapshot->labelled ? labels[offset + i] : 0;
        uint8_t byte = label ? (uint8_t)(values[label >> 3] >> 8 * (label & 7)) : contents[offset + i];
        result |= (wide)byte << 8 * i;
    }
    return result;
}

static int compare_floats(unsigned predicate, double x, double y)
{
    int unordered = isnan(x) || isnan(y);
    int holds = unordered ? predicate & 8 : (x == y && predicate & 1) || (x > y && predicate & 2) || (x < y && predicate & 4);
    return holds != 0;
}

static wide evaluate(const ctn_node *n, const char *data)
{
    unsigned w = n->bits;
    wide a = n->a ? values[n->a] : n->x, b = n->b ? values[n->b] : n->y;
    double x = real(a, n->c ? n->c : w), y = real(b, n->c ? n->c : w);
    switch (n->op) {
    case CTN_OP_CONST: return (wide)n->y << 64 | n->x;
    case CTN_OP_ADD: return a + b;
    case CTN_OP_SUB: return a - b;
    case CTN_OP_MUL: return a * b;
    case CTN_OP_UDIV: return b ? a / b : 0;
    case CTN_OP_SDIV: return b ? (wide)(sign(a, w) / sign(b, w)) : 0;
    case CTN_OP_UREM: return b ? a % b : 0;
    case CTN_OP_SREM: return b ? (wide)(sign(a, w) % sign(b, w)) : 0;
    case CTN_OP_AND: return a & b;
    case CTN_OP_OR: return a | b;
    case CTN_OP_XOR: return a ^ b;
    case CTN_OP_SHL: return b < w ? a << b : 0;
    case CTN_OP_LSHR: return b < w ? a >> b : 0;
    case CTN_OP_ASHR: return (wide)(sign(a, w) >> (b < w ? (unsigned)b : w - 1));
    case CTN_OP_EQ: return a == b;
    case CTN_OP_NE: return a != b;
    case CTN_OP_ULT: return a < b;
    case CTN_OP_ULE: return a <= b;
    case CTN_OP_SLT: return sign(a, n->c) < sign(b, n->c);
    case CTN_OP_SLE: return sign(a, n->c) <= sign(b, n->c);
    case CTN_OP_ZEXT: return a;
    case CTN_OP_SEXT: return (wide)sign(a, n->c);
    case CTN_OP_EXTRACT: return a >> n->x;
    case CTN_OP_CONCAT: return a << n->c | b;
    case CTN_OP_ITE: return a ? (n->b ? values[n->b] : n->x) : (n->c ? values[n->c] : n->y);
    case CTN_OP_SADDO:
    case CTN_OP_UADDO:
    case CTN_OP_SSUBO:
    case CTN_OP_USUBO:
    case CTN_OP_SMULO:
    case CTN_OP_UMULO: return (wide)overflows(n->op, a, b, n->c);
    case CTN_OP_CTPOP: return (wide)(__builtin_popcountll((uint64_t)a) + __builtin_popcountll((uint64_t)(a >> 64)));
    case CTN_OP_CTLZ: {
        unsigned count = 0;
        while (count < w && !(a >> (w - 1 - count) & 1)) count++;
        return count;
    }
    case CTN_OP_CTTZ: {
        unsigned count = 0;
        while (count < w && !(a >> count & 1)) count++;
        return count;
    }
    case CTN_OP_BSWAP: {
        wide r = 0;
        for (unsigned i = 0; i < w / 8; i++) r = r << 8 | (a >> 8 * i & 255);
        return r;
    }
    case CTN_OP_BITREVERSE: {
        wide r = 0;
        for (unsigned i = 0; i < w; i++) r = r << 1 | (a >> i & 1);
        return r;
    }
    case CTN_OP_READ: return read_object(n, data, (uint64_t)a);
    case CTN_OP_FADD: return w == 32 ? pattern((float)x + (float)y, w) : pattern(x + y, w);
    case CTN_OP_FSUB: return w == 32 ? pattern((float)x - (float)y, w) : pattern(x - y, w);
    case CTN_OP_FMUL: return w == 32 ? pattern((float)x * (float)y, w) : pattern(x * y, w);
    case CTN_OP_FDIV: return w == 32 ? pattern((float)x / (float)y, w) : pattern(x / y, w);
    case CTN_OP_FREM: return pattern(fmod(x, y), w);
    case CTN_OP_FNEG: return a ^ (wide)1 << (w - 1);
    case CTN_OP_FABS: return a & mask(w - 1);
    case CTN_OP_FSQRT: return w == 32 ? pattern(sqrtf((float)x), w) : pattern(sqrt(x), w);
    case CTN_OP_FMIN: return pattern(fmin(x, y), w);
    case CTN_OP_FMAX: return pattern(fmax(x, y), w);
    case CTN_OP_FFLOOR: return pattern(floor(x), w);
    case CTN_OP_FCEIL: return pattern(ceil(x), w);
    case CTN_OP_FTRUNC: return pattern(trunc(x), w);
    case CTN_OP_FRINT: return pattern(rint(x), w);
    case CTN_OP_FROUND: return pattern(round(x), w);
    case CTN_OP_FCOPYSIGN: return pattern(copysign(x, y), w);
    case CTN_OP_FFMA: {
        double r = real(a, w), s = real(b, w), t = real(values[n->c], w);
        return w == 32 ? pattern(fmaf((float)r, (float)s, (float)t), w) : pattern(fma(r, s, t), w);
    }
    case CTN_OP_FCMP: return (wide)compare_floats(n->sub, x, y);
    case CTN_OP_FPTOSI: return (wide)(swide)x;
    case CTN_OP_FPTOUI: return (wide)x;
    case CTN_OP_SITOFP: return w == 32 ? pattern((float)sign(a, n->c), w) : pattern((double)sign(a, n->c), w);
    case CTN_OP_UITOFP: return w == 32 ? pattern((float)a, w) : pattern((double)a, w);
    case CTN_OP_FPEXT:
    case CTN_OP_FPTRUNC: return pattern(x, w);
    default: fprintf(stderr, "unknown operation %u\n", n->op); return 0;
    }
}

unsigned evaluate_log(const ctn_header *header, const uint64_t *inputs)
{
    const char *base = (const char *)header;
    const ctn_node *nodes = (const void *)(base + header->nodes_offset);
    const ctn_record *records = (const void *)(base + header->log_offset);
    unsigned wrong = 0;
    values = calloc(header->node_count, sizeof *values);
    for (uint32_t i = 1; i < header->node_count; i++) {
        const ctn_node *n = &nodes[i];
        if (n->op != CTN_OP_INPUT && (n->a >= i || (n->b >= i) || (n->op == CTN_OP_ITE && n->c >= i)))
            fprintf(stderr, "node %u refers to a later one\n", i), wrong++;
        values[i] = (n->op == CTN_OP_INPUT ? inputs[n->b] : evaluate(n, base + header->data_offset)) & mask(n->bits);
    }
    for (uint32_t i = 0; i < header->log_count; i++) {
        const ctn_record *r = &records[i];
        int has_value = r->kind == CTN_LOG_BRANCH || r->kind == CTN_LOG_SWITCH || r->kind == CTN_LOG_CHECK ||
                        r->kind == CTN_LOG_CONCRETISED || r->kind == CTN_LOG_INDIRECT;
        if (!has_value || !r->label) continue;
        wide expected = r->value & mask(nodes[r->label].bits);
        if (values[r->label] != expected) {
            fprintf(stderr, "record %u (kind %u, site %u, label %u): nodes say %llx, the execution %llx\n", i, r->kind,
                    r->site, r->label, (unsigned long long)values[r->label], (unsigned long long)expected);
            wrong++;
        }
    }
    return wrong;
}

unsigned evaluate_memory(const void *start, uint64_t size, const uint32_t *labels)
{
    const uint8_t *bytes = start;
    unsigned wrong = 0;
    for (uint64_t i = 0; i < size; i++) {
        if (!labels[i] || labels[i] >= CTN_POISON_FIRST) continue;
        uint8_t said = (uint8_t)(values[labels[i] >> 3] >> 8 * (labels[i] & 7));
        if (said != bytes[i]) {
            fprintf(stderr, "byte %llu of an object: nodes say %x, memory %x\n", (unsigned long long)i, said, bytes[i]);
            wrong++;
        }
    }
    return wrong;
}
