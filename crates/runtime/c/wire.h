/* The C side of the contract between explorer and tested process; the Rust side is crates/wire.
 * A test of the runtime crate compiles this header and compares every constant, size and offset. */
#ifndef CTN_WIRE_H
#define CTN_WIRE_H

#include <stdint.h>

#define CTN_SHADOW_BASE 0x200000000000ull
#define CTN_SHADOW_SIZE 0x200000000000ull
#define CTN_SHADOW_MASK ((1ull << 43) - 1)
#define CTN_SHM_BASE    0x410000000000ull
#define CTN_ARENA_BASE  0x420201860000ull
#define CTN_SHM_FD      198
#define CTN_MAGIC       0x31747265636e6f63ull
#define CTN_TEXT_OFFSET 2048 /* in the header page: why the execution ended, NUL-terminated */
#define CTN_TEXT_SIZE   1024
#define CTN_CALL_MAGIC  0x747265636e6f63ull /* an unused argument of system calls only the runtime makes */

enum { CTN_STATE_STARTING = 0, CTN_STATE_IDLE = 1, CTN_STATE_RUN = 2, CTN_STATE_DONE = 3, CTN_STATE_QUIT = 4,
       CTN_STATE_FAILED = 5 };
enum { CTN_FLAG_FORK = 1, CTN_FLAG_FULL_COVERAGE = 2, CTN_FLAG_NO_CHECKS = 4 };
enum { CTN_NOTE_TRUNCATED = 1, CTN_NOTE_UNSAFE_TO_RESET = 2 };
enum { CTN_MODE_REAL = 0, CTN_MODE_STUB = 1, CTN_MODE_CAPTURE = 2 };

enum {
    CTN_END_RETURNED = 1,
    CTN_END_EXITED = 2,
    CTN_END_ABORTED = 3,
    CTN_END_ASSERT_FAILED = 4,
    CTN_END_VIOLATION = 5,
    CTN_END_SEGFAULT = 6,
    CTN_END_ARITHMETIC_TRAP = 7,
    CTN_END_STACK_OVERFLOW = 8,
    CTN_END_OTHER_SIGNAL = 9,
    CTN_END_RAISED_SIGNAL = 10,
    CTN_END_TIMEOUT = 11,
    CTN_END_OUT_OF_MEMORY = 12,
    CTN_END_LOG_FULL = 13,
    CTN_END_ASSUMPTION_FAILED = 14,
    CTN_END_LONG_JUMP = 15,
    CTN_END_FORBIDDEN = 16,
    CTN_END_KILLED = 17,
    CTN_END_OUTPUT_LIMIT = 18,
};

enum {
    CTN_CLASS_OUT_OF_BOUNDS = 1,
    CTN_CLASS_NULL_DEREFERENCE = 2,
    CTN_CLASS_DIVISION_BY_ZERO = 3,
    CTN_CLASS_ASSERTION = 4,
    CTN_CLASS_USE_AFTER_FREE = 5,
    CTN_CLASS_DOUBLE_FREE = 6,
    CTN_CLASS_SIGNED_OVERFLOW = 7,
    CTN_CLASS_INVALID_SHIFT = 8,
    CTN_CLASS_STACK_OVERFLOW = 9,
    CTN_CLASS_NON_TERMINATION = 10,
    CTN_CLASS_OTHER = 11,
};

enum {
    CTN_LOG_BRANCH = 1,
    CTN_LOG_SWITCH = 2,
    CTN_LOG_CHECK = 3,
    CTN_LOG_CONCRETISED = 4,
    CTN_LOG_ASSUME = 5,
    CTN_LOG_INPUT = 6,
    CTN_LOG_COVER = 7,
    CTN_LOG_INDIRECT = 8,
    CTN_LOG_ENTER = 9,
    CTN_LOG_LEAVE = 10,
    CTN_LOG_LOST = 11,
};

enum {
    CTN_ASSUMED_FACT = 0,
    CTN_ASSUMED_LIMIT = 1,
};

enum {
    CTN_CONC_LOAD_ADDRESS = 1,
    CTN_CONC_STORE_ADDRESS = 2,
    CTN_CONC_ALLOCATION_SIZE = 3,
    CTN_CONC_LENGTH = 4,
    CTN_CONC_EXTERNAL_ARGUMENT = 5,
    CTN_CONC_INLINE_ASSEMBLY = 6,
    CTN_CONC_UNSUPPORTED_TYPE = 7,
    CTN_CONC_UNSUPPORTED_OPERATION = 8,
    CTN_CONC_FUNCTION_POINTER = 9,
    CTN_CONC_TABLE_FULL = 10,
};

enum {
    CTN_OP_CONST = 1,
    CTN_OP_INPUT = 2,
    CTN_OP_ADD = 10,
    CTN_OP_SUB = 11,
    CTN_OP_MUL = 12,
    CTN_OP_UDIV = 13,
    CTN_OP_SDIV = 14,
    CTN_OP_UREM = 15,
    CTN_OP_SREM = 16,
    CTN_OP_AND = 17,
    CTN_OP_OR = 18,
    CTN_OP_XOR = 19,
    CTN_OP_SHL = 20,
    CTN_OP_LSHR = 21,
    CTN_OP_ASHR = 22,
    CTN_OP_EQ = 30,
    CTN_OP_NE = 31,
    CTN_OP_ULT = 32,
    CTN_OP_ULE = 33,
    CTN_OP_SLT = 34,
    CTN_OP_SLE = 35,
    CTN_OP_ZEXT = 40,
    CTN_OP_SEXT = 41,
    CTN_OP_EXTRACT = 42,
    CTN_OP_CONCAT = 43,
    CTN_OP_ITE = 44,
    CTN_OP_SADDO = 50,
    CTN_OP_UADDO = 51,
    CTN_OP_SSUBO = 52,
    CTN_OP_USUBO = 53,
    CTN_OP_SMULO = 54,
    CTN_OP_UMULO = 55,
    CTN_OP_CTPOP = 60,
    CTN_OP_CTLZ = 61,
    CTN_OP_CTTZ = 62,
    CTN_OP_BSWAP = 63,
    CTN_OP_BITREVERSE = 64,
    CTN_OP_READ = 70,
    CTN_OP_FADD = 80,
    CTN_OP_FSUB = 81,
    CTN_OP_FMUL = 82,
    CTN_OP_FDIV = 83,
    CTN_OP_FREM = 84,
    CTN_OP_FNEG = 85,
    CTN_OP_FABS = 86,
    CTN_OP_FSQRT = 87,
    CTN_OP_FMIN = 88,
    CTN_OP_FMAX = 89,
    CTN_OP_FFLOOR = 90,
    CTN_OP_FCEIL = 91,
    CTN_OP_FTRUNC = 92,
    CTN_OP_FRINT = 93,
    CTN_OP_FROUND = 94,
    CTN_OP_FCOPYSIGN = 95,
    CTN_OP_FFMA = 96,
    CTN_OP_FCMP = 100,
    CTN_OP_FPTOSI = 101,
    CTN_OP_FPTOUI = 102,
    CTN_OP_SITOFP = 103,
    CTN_OP_UITOFP = 104,
    CTN_OP_FPEXT = 105,
    CTN_OP_FPTRUNC = 106,
};

#define CTN_MAX_NODE       0x1ffffe00u
#define CTN_POISON_FIRST   0xfffff000u
#define CTN_HEAP_REDZONE   0xfffffff1u
#define CTN_HEAP_FREED     0xfffffff2u
#define CTN_STACK_REDZONE  0xfffffff3u
#define CTN_STACK_DEAD     0xfffffff4u
#define CTN_GLOBAL_REDZONE 0xfffffff5u

typedef struct { uint16_t kind, aux; uint32_t tu, site, label; uint64_t value, mark; } ctn_record;
typedef struct { uint8_t op, sub; uint16_t bits; uint32_t a, b, c; uint64_t x, y, digest; } ctn_node;
typedef struct { uint32_t tu, function, mode; } ctn_mode_entry;
typedef struct { uint64_t hash; uint32_t occurrence, length; uint64_t offset; } ctn_input_entry;
typedef struct { uint64_t base; uint32_t size, labelled; } ctn_snapshot;
typedef struct { uint64_t hash; uint32_t length, reserved; } ctn_name_entry;

typedef struct {
    uint64_t magic;
    uint32_t state;
    uint32_t flags;
    uint32_t driver_tu;
    uint32_t driver_index;
    uint32_t default_mode;
    uint32_t mode_count;
    uint64_t modes_offset;
    uint64_t modes_size;
    uint64_t input_offset;
    uint64_t input_size;
    uint64_t log_offset;
    uint64_t log_size;
    uint64_t nodes_offset;
    uint64_t nodes_size;
    uint64_t data_offset;
    uint64_t data_size;
    uint64_t names_offset;
    uint64_t names_size;
    uint32_t read_limit;
    uint32_t write_limit;
    uint64_t heap_limit;
    uint32_t site_limit;
    uint32_t reserved;
    int32_t worker_pid;
    int32_t server_pid;
    uint32_t log_count;
    uint32_t node_count;
    uint64_t data_used;
    uint64_t names_used;
    uint32_t notes;
    uint32_t end;
    int32_t end_value;
    uint32_t end_tu;
    uint32_t end_site;
    uint32_t end_reserved;
    uint64_t end_pc;
    uint64_t end_address;
    uint64_t executions;
    uint64_t end_stack[32];
    uint64_t image_base;
    uint64_t check_mask;
    uint32_t explorer_sleeps;
    uint32_t runtime_sleeps;
} ctn_header;

#endif
