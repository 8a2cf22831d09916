/* A worker: runs the driver on its own stack, fills in how the execution ended, and, when persistent, goes
 * back to its loop. Ways out of an execution: rt_end (here) and signals (signals.c). */
#define _GNU_SOURCE
#include "cold.h"
#include "host.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

RT_KEEP int host_running;
RT_KEEP static int persistent;
RT_KEEP static void *way_back[5];
RT_KEEP static uint64_t stack_low; /* the stack is accessible, and possibly written, from here up */

/* --- the driver's stack ------------------------------------------------------------------------------ */

#define STACK_TOP (HOST_STACK_BASE + HOST_STACK_SIZE)

/* What is never set back is accessible from the beginning, with nothing mapped below: a mapping less to fork. */
void host_stack_start(int forks)
{
    uint64_t from = forks ? HOST_STACK_BASE : HOST_STACK_BASE - HOST_STACK_GUARD;
    void *at = mmap((void *)from, STACK_TOP - from, forks ? PROT_READ | PROT_WRITE : PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    stack_low = forks ? HOST_STACK_BASE : STACK_TOP - HOST_STACK_STEP;
    if (at != (void *)from || mprotect((void *)stack_low, STACK_TOP - stack_low, PROT_READ | PROT_WRITE) != 0)
        host_fail("cannot map the driver's stack", "");
}

/* The sandbox lets this process fork only with the magic number in an argument the kernel ignores. */
int host_fork_onto(void (*f)(void))
{
    long result;
    register long fourth __asm__("r10") = 0;
    register long fifth __asm__("r8") = 0;
    __asm__ volatile("syscall\n\t"
                     "testq %%rax, %%rax\n\t"
                     "jnz 1f\n\t"
                     "xorl %%ebp, %%ebp\n\t"
                     "callq *%%rbx\n\t"
                     "ud2\n"
                     "1:"
                     : "=a"(result)
                     : "a"(SYS_clone), "D"(SIGCHLD), "S"(STACK_TOP), "d"(CTN_CALL_MAGIC), "r"(fourth), "r"(fifth),
                       "b"(f)
                     : "rcx", "r11", "memory");
    return (int)result;
}

/* Grown on demand, so that a reset knows how much of it to clear. */
int host_stack_grow(uint64_t address)
{
    if (address < HOST_STACK_BASE || address >= stack_low)
        return 0;
    uint64_t low = address & ~(HOST_STACK_STEP - 1);
    if (mprotect((void *)low, stack_low - low, PROT_READ | PROT_WRITE) != 0)
        return 0;
    stack_low = low;
    return 1;
}

/* A frame larger than the guard can jump over it, but then its pushes fault with sp below the base. */
int host_stack_overflown(uint64_t address, uint64_t sp)
{
    int in_guard = address >= HOST_STACK_BASE - HOST_STACK_GUARD && address < HOST_STACK_BASE;
    int below = sp < HOST_STACK_BASE && sp >= HOST_STACK_BASE - (1ull << 32);
    return in_guard || below;
}

/* Most executions go as deep as the ones before: that part stays accessible and is cleared. What deep
 * recursion used goes back to the kernel. */
static void stack_clear(void)
{
    uint64_t keep = STACK_TOP - HOST_STACK_KEPT;
    if (stack_low < keep) {
        madvise((void *)stack_low, keep - stack_low, MADV_DONTNEED);
        mprotect((void *)stack_low, keep - stack_low, PROT_NONE);
        stack_low = keep;
    }
    memset((void *)stack_low, 0, STACK_TOP - stack_low);
}

/* Calls f with the stack pointer at top. The zero frame pointer ends every backtrace. */
void host_call_on(void (*f)(void), uint64_t top);
__asm__(".text\n"
        ".type host_call_on, @function\n"
        "host_call_on:\n\t"
        "pushq %rbp\n\t"
        "pushq %rbx\n\t"
        "movq %rsp, %rbx\n\t"
        "movq %rsi, %rsp\n\t"
        "xorl %ebp, %ebp\n\t"
        "pushq $0\n\t"
        "pushq $0\n\t"
        "callq *%rdi\n\t"
        "movq %rbx, %rsp\n\t"
        "popq %rbx\n\t"
        "popq %rbp\n\t"
        "retq\n");

/* --- endings ----------------------------------------------------------------------------------------- */

static uint32_t text_used(void)
{
    const char *text = (const char *)(CTN_SHM_BASE + CTN_TEXT_OFFSET);
    return (uint32_t)strnlen(text, CTN_TEXT_SIZE - 1);
}

void host_text(const char *text)
{
    char *at = (char *)(CTN_SHM_BASE + CTN_TEXT_OFFSET);
    uint32_t used = text_used();
    while (*text && used < CTN_TEXT_SIZE - 1)
        at[used++] = *text++;
    at[used] = 0;
}

void host_text_number(uint64_t number)
{
    char digits[24], *d = digits + sizeof digits - 1;
    *d = 0;
    do
        *--d = (char)('0' + number % 10);
    while (number /= 10);
    host_text(d);
}

int host_on_stack(uint64_t sp) { return sp >= stack_low && sp <= STACK_TOP - 16 && sp % 8 == 0; }

/* Frame pointers are followed only upwards and only on the driver's stack. Return addresses are told as places
 * inside the calls: what follows a call may be another line, or another function. */
static void backtrace(uint64_t pc, uint64_t fp)
{
    unsigned n = 0;
    if (pc)
        rt_header->end_stack[n++] = pc;
    while (n < 32 && host_on_stack(fp)) {
        const uint64_t *frame = (const uint64_t *)fp;
        if (!frame[1])
            break;
        if (n != 1 || frame[1] - 1 != pc) /* a caller may have been told by its return address */
            rt_header->end_stack[n++] = frame[1] - 1;
        if (frame[0] <= fp)
            break;
        fp = frame[0];
    }
    if (n < 32)
        rt_header->end_stack[n] = 0;
}

void host_fill_end(uint32_t end, int32_t value, uint32_t tu, uint32_t site, uint64_t pc, uint64_t address,
                   uint64_t fp)
{
    if (rt_header->end)
        return;
    rt_header->end_value = value;
    rt_header->end_tu = tu;
    rt_header->end_site = site;
    rt_header->end_pc = pc;
    rt_header->end_address = address;
    backtrace(pc, fp);
    __atomic_store_n(&rt_header->end, end, __ATOMIC_RELEASE);
}

/* Leaves an execution whose ending is filled in. The code was stopped before it did damage, so that a reset
 * mends the process. */
void host_leave(void)
{
    if (!persistent)
        host_exit(0);
    __builtin_longjmp(way_back, 1);
}

void rt_end(uint32_t end, int32_t value, uint32_t tu, uint32_t site, uint64_t pc, uint64_t address)
{
    if (!host_running)
        host_fail("the program ended in a constructor, before main", "");
    const uint64_t *frame = __builtin_frame_address(0);
    uint64_t fp = frame[0];
    if (!pc)
        pc = frame[1] - 1;
    host_fill_end(end, value, tu, site, pc, address, fp);
    host_leave();
}

/* --- running ----------------------------------------------------------------------------------------- */

static void prepare(void)
{
    rt_header->end = 0;
    rt_header->end_value = 0;
    rt_header->end_tu = rt_header->end_site = 0;
    rt_header->end_pc = rt_header->end_address = 0;
    rt_header->end_stack[0] = 0;
    rt_header->notes = 0;
    rt_header->executions++;
    *(char *)(CTN_SHM_BASE + CTN_TEXT_OFFSET) = 0;
    if (rt_header->flags & CTN_FLAG_FULL_COVERAGE)
        for (unsigned u = 0; u < rt_unit_count; u++)
            memset(rt_units[u]->covered, 0, rt_units[u]->counter_count);
    rt_labels_reset();
    rt_input_reset();
}

/* Whether the driver returned. */
static int run(void)
{
    prepare();
    host_running = 1;
    int returned = __builtin_setjmp(way_back) == 0;
    if (returned) {
        __ctn_ret[0] = CTN_NO_CALLEE;
        host_call_on(host_driver, STACK_TOP - HOST_STACK_FRAMES);
        __ctn_foreign |= __ctn_ret[0] == CTN_NO_CALLEE;
        host_fill_end(CTN_END_RETURNED, 0, 0, 0, 0, 0, 0);
    }
    host_running = 0;
    return returned;
}

void host_worker_once(void)
{
    run();
    host_exit(0);
}

/* What the kernel keeps for the process, and the variables of libraries, are changed only by code that is not
 * instrumented. Whoever calls some says so when it returns; where an execution ends inside, nobody does. Now and then
 * they are set back without a reason. */
#define CHECK_EVERY 256

void host_worker_loop(void)
{
    unsigned since_checked = 0;
    host_patience patience = {0};
    persistent = 1;
    for (;;) {
        int returned = run();
        /* The explorer reads the log while this process clears up after the execution. */
        host_set_state(CTN_STATE_DONE);
        rt_shadow_reset();
        rt_arena_reset();
        stack_clear();
        int foreign = __ctn_foreign || !returned || ++since_checked == CHECK_EVERY;
        host_snapshot_restore(foreign);
        if (foreign) {
            host_process_reset();
            host_signals_reset();
            __ctn_foreign = 0;
            since_checked = 0;
        }
        host_wait_while(CTN_STATE_DONE, &patience);
        if (__atomic_load_n(&rt_header->state, __ATOMIC_ACQUIRE) != CTN_STATE_RUN)
            host_exit(0);
    }
}
