/* What the parts that run the process share: server, worker, signals, snapshot, endings. The rest of the
 * runtime knows only rt.h. */
#ifndef CTN_HOST_H
#define CTN_HOST_H

#include "rt.h"

/* The driver runs on a stack of its own at a fixed address: its overflow is told apart from other faults,
 * and a reset can clear it. The pages below the base are never accessible. It ends not far below the heap, so that the
 * shadows of both are mapped by the same page table: every fork pays for a table. */
#define HOST_STACK_GAP   (256ull << 10)
#define HOST_STACK_SIZE  (8ull << 20)
#define HOST_STACK_BASE  (CTN_ARENA_BASE - HOST_STACK_GAP - HOST_STACK_SIZE)
#define HOST_STACK_FRAMES 1024ull       /* at its end, for the frames of a forked worker: one page less to copy */
#define HOST_STACK_GUARD (16ull << 20)
#define HOST_STACK_STEP  (8ull << 10)   /* it grows by these */
#define HOST_STACK_KEPT  (256ull << 10) /* at most this much of it stays accessible after an execution */

#define HOST_MAX_UNITS 16384

/* A system call without the C library: a worker that was just forked has none of its pages yet, and errno is
 * the program's. */
static inline long host_call(long number, long a, long b, long c, long d, long e)
{
    long result;
    register long fourth __asm__("r10") = d;
    register long fifth __asm__("r8") = e;
    register long sixth __asm__("r9") = 0;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
                     : "rcx", "r11", "memory");
    return result;
}

/* --- server.c ------------------------------------------------------------------------------------- */
void host_start(void);                 /* maps everything; idempotent, works before any constructor */
typedef struct { unsigned credit, waits; } host_patience;  /* whether spinning paid lately */
void host_wait_while(uint32_t state, host_patience *patience); /* futex on the header's state */
void host_set_state(uint32_t state);   /* ... and wakes */
__attribute__((noreturn)) void host_fail(const char *text, const char *detail);
__attribute__((noreturn)) void host_exit(int code); /* the process, at once */
extern void (*host_driver)(void);      /* the driver that the header asks for */

/* --- worker.c ------------------------------------------------------------------------------------- */
void host_stack_start(int forks);     /* forks: each execution has a process of its own */
int host_stack_grow(uint64_t address); /* 1 if the address is in the part not yet accessible */
int host_on_stack(uint64_t sp);        /* a word there can be read */
int host_stack_overflown(uint64_t address, uint64_t sp);
/* A process that does f on the driver's stack, and does not return from it; its number, or a negative one. */
int host_fork_onto(void (*f)(void));
__attribute__((noreturn)) void host_worker_once(void);
__attribute__((noreturn)) void host_worker_loop(void);
void host_text(const char *text);      /* the text of the ending; later ones are appended */
void host_text_number(uint64_t number);
/* Fills in the ending, once, with the call stack that starts at frame pointer fp. */
void host_fill_end(uint32_t end, int32_t value, uint32_t tu, uint32_t site, uint64_t pc, uint64_t address,
                   uint64_t fp);
__attribute__((noreturn)) void host_leave(void); /* the execution, to the worker's loop or for good */
extern int host_running;               /* an execution is under way */

/* --- signals.c ------------------------------------------------------------------------------------ */
void host_signals_start(void);
void host_signals_reset(void);

/* --- snapshot.c ----------------------------------------------------------------------------------- */
void host_snapshot_take(void);
void host_snapshot_restore(int libraries_too); /* their variables, where only their own code writes */
int host_snapshot_touch(uint64_t address); /* 1 if the fault was the first write to a watched page */

/* --- arena.c -------------------------------------------------------------------------------------- */
void host_arena_mark(void);            /* what is allocated now survives every reset */
uint64_t host_arena_kept(void);        /* bytes from CTN_ARENA_BASE that belong to the snapshot */
uint32_t host_arena_fault(uint64_t address); /* the class of a fault at an address of the heap, else 0 */
/* A pointer that is not the start of a live block ends the execution; before the first, these do nothing. */
void host_free(void *p);
int host_block_size(const void *p, uint64_t *size);

/* --- shadow.c ------------------------------------------------------------------------------------- */
/* The shadow of these addresses is set back by whoever says so, not by rt_shadow_reset. */
void host_shadow_unlist(uint64_t from, uint64_t to);

/* --- input.c -------------------------------------------------------------------------------------- */
void host_input_start(void);
/* A slot of one 32-bit element outside any driver: results of calls that are not made for real. */
uint32_t host_input_word(const char *slot, uint32_t *label);

/* --- process.c ------------------------------------------------------------------------------------ */
void host_process_reset(void);

#endif
