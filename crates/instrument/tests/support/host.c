/* A small stand-in for the fork server: maps the shared memory, runs the program's main once and prints the
 * nodes and the log. Inputs come from the command line as name=value. Used by the tests of the instrumenter,
 * which link it with the parts of the runtime that belong to instrumented code. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cold.h"
#include "evaluate.h"
#include "host.h"
#include "rt.h"

uint8_t __ctn_foreign;

#define NODES (1u << 20)
#define RECORDS (1u << 20)
#define DATA (64u << 20)

RT_KEEP ctn_header *rt_header;
const rt_unit *rt_units[64];
unsigned rt_unit_count;

int __ctn_user_main(int argc, char **argv) __attribute__((weak));
static uint64_t inputs[65536];
static uint32_t input_count;
static int argument_count;
static char **arguments;

static void start(void)
{
    uint64_t header = 4096, nodes = NODES * sizeof(ctn_node), log = RECORDS * sizeof(ctn_record);
    rt_header = mmap((void *)CTN_SHM_BASE, header + nodes + log + DATA, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (rt_header == MAP_FAILED) host_fail("cannot map", "");
    rt_header->nodes_offset = header;
    rt_header->nodes_size = nodes;
    rt_header->log_offset = header + nodes;
    rt_header->log_size = log;
    rt_header->data_offset = header + nodes + log;
    rt_header->data_size = DATA;
    rt_header->read_limit = 4096;
    rt_header->write_limit = 256;
    rt_header->check_mask = ~0ull;
    rt_shadow_start();
    rt_labels_start();
}
__attribute__((section(".preinit_array"), used)) static void (*const early)(void) = start;

void host_fail(const char *text, const char *detail)
{
    fprintf(stderr, "%s%s\n", text, detail);
    _exit(3);
}

void __ctn_register_unit(const rt_unit *unit) { rt_units[rt_unit_count++] = unit; }

int rt_arena_block(const void *p, uint64_t *base, uint64_t *size, int *freed)
{
    (void)p, (void)base, (void)size, (void)freed;
    return 0;
}

/* Counts of inputs, nodes, records and bytes of data, then all of these. */
static void dump_bytes(FILE *out)
{
    uint64_t counts[] = {input_count, rt_header->node_count, rt_header->log_count, rt_header->data_used};
    fwrite(counts, sizeof counts, 1, out);
    fwrite(inputs, sizeof *inputs, input_count, out);
    fwrite((void *)(CTN_SHM_BASE + rt_header->nodes_offset), sizeof(ctn_node), rt_header->node_count, out);
    fwrite((void *)(CTN_SHM_BASE + rt_header->log_offset), sizeof(ctn_record), rt_header->log_count, out);
    fwrite((void *)(CTN_SHM_BASE + rt_header->data_offset), 1, rt_header->data_used, out);
    fclose(out);
}

static void dump(uint32_t end, int32_t value, uint32_t site)
{
    const ctn_node *nodes = (void *)(CTN_SHM_BASE + rt_header->nodes_offset);
    const ctn_record *records = (void *)(CTN_SHM_BASE + rt_header->log_offset);
    fflush(stdout);
    unsigned wrong = evaluate_log(rt_header, inputs);
    for (unsigned u = 0; u < rt_unit_count; u++)
        for (uint32_t g = 0; g < rt_units[u]->global_count; g++) {
            const rt_global *global = &rt_units[u]->globals[g];
            wrong += evaluate_memory(global->base, global->size, rt_shadow(global->base));
        }
    if (wrong) {
        fprintf(stderr, "%u records or bytes disagree with their nodes\n", wrong);
        _exit(88);
    }
    FILE *out = fdopen(9, "w");
    if (!out) return;
    if (getenv("CTN_BINARY")) return dump_bytes(out);
    for (uint32_t i = 1; i < rt_header->node_count; i++)
        fprintf(out, "node %u %u %u %u %u %u %u %llu %llu\n", i, nodes[i].op, nodes[i].sub, nodes[i].bits, nodes[i].a,
                nodes[i].b, nodes[i].c, (unsigned long long)nodes[i].x, (unsigned long long)nodes[i].y);
    for (uint32_t i = 0; i < rt_header->log_count; i++)
        fprintf(out, "record %u %u %u %u %u %llu\n", records[i].kind, records[i].aux, records[i].tu, records[i].site,
                records[i].label, (unsigned long long)records[i].value);
    fprintf(out, "end %u %d %u\n", end, value, site);
    fclose(out);
}

void rt_end(uint32_t end, int32_t value, uint32_t tu, uint32_t site, uint64_t pc, uint64_t address)
{
    (void)tu, (void)pc, (void)address;
    dump(end, value, site);
    _exit(end == CTN_END_VIOLATION ? 77 : 0);
}

static void make_input(void *p, unsigned long size, uint64_t hash)
{
    if (input_count == sizeof inputs / sizeof *inputs) return;
    inputs[input_count] = 0;
    memcpy(&inputs[input_count], p, size);
    uint32_t node = rt_node(CTN_OP_INPUT, 0, (uint16_t)(size * 8), 0, input_count, 0, hash, 0);
    input_count++;
    rt_label_bytes(p, node, (unsigned)size);
}

/* Names of inputs are short: their first eight bytes are the hash, so that the test can print them. */
void ctn_value(void *p, unsigned long size, const ctn_path *at)
{
    uint64_t hash = 0, value = 0;
    strncpy((char *)&hash, at->name, sizeof hash);
    for (int i = 1; i < argument_count; i++) {
        size_t length = strlen(at->name);
        if (strncmp(arguments[i], at->name, length) == 0 && arguments[i][length] == '=')
            value = strtoull(arguments[i] + length + 1, 0, 0);
    }
    memcpy(p, &value, size);
    make_input(p, size, hash);
}

/* Makes what a variable holds an input: the program runs as before, with labels. */
void ctn_same(void *p, unsigned long size)
{
    for (unsigned long at = 0, piece; at < size; at += piece) {
        for (piece = 8; piece > size - at;) piece /= 2;
        make_input((char *)p + at, piece, 0);
    }
}

/* The frames that a jump leaves are gone, and so are their redzones. The C library keeps the stack pointer in
 * the buffer scrambled with a secret of the process. */
void ctn_longjmp(jmp_buf env, int value)
{
    uint64_t guard, target = ((const uint64_t *)env)[6], here = (uint64_t)__builtin_frame_address(0);
    __asm__("movq %%fs:0x30, %0" : "=r"(guard));
    target = (target >> 17 | target << 47) ^ guard;
    if (target > here) rt_unpoison((void *)here, target - here);
    longjmp(env, value);
}

int main(int argc, char **argv)
{
    argument_count = argc;
    arguments = argv;
    rt_shadow_keep();
    memset(__ctn_args, 0, sizeof __ctn_args);
    if (argc > 1 && strcmp(argv[1], "--stub") == 0)
        for (unsigned u = 0; u < rt_unit_count; u++) memset(rt_units[u]->modes, CTN_MODE_STUB, rt_units[u]->function_count);
    int result = __ctn_user_main ? __ctn_user_main(argc, argv) : 0;
    dump(CTN_END_RETURNED, result, 0);
    return result;
}
