/* Signals that end an execution. Handlers run on a stack of their own and record what happened. A fault of the
 * image's own code is stopped before it does anything, so a persistent worker goes on after a reset; one in a
 * library, or a signal from outside, may have come in the middle of anything, and the worker ends. Two faults
 * are not the program's: the driver's stack growing, and the first write to a page that the snapshot watches. */
#define _GNU_SOURCE
#include "host.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define HANDLER_STACK (64u << 10)
RT_KEEP_TABLE static char handler_stack[HANDLER_STACK] __attribute__((aligned(64)));

static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGXCPU, SIGXFSZ};

/* A system call that the sandbox stopped. Signals are the only ones worth telling apart. */
static void forbidden(const siginfo_t *info, const greg_t *regs, uint64_t pc)
{
    int call = info->si_syscall;
    int to_thread = call == SYS_tgkill;
    if (call == SYS_kill || call == SYS_tkill || call == SYS_tgkill) {
        int64_t to = (int32_t)regs[REG_RDI];
        int signal = (int)regs[to_thread ? REG_RDX : REG_RSI];
        if (to == getpid() || to == 0) {
            uint32_t end = signal == SIGABRT ? CTN_END_ABORTED : CTN_END_RAISED_SIGNAL;
            host_fill_end(end, signal, 0, 0, pc, 0, (uint64_t)regs[REG_RBP]);
            return;
        }
        host_text("signal to another process");
    } else {
        host_text("system call ");
        host_text_number((uint64_t)call);
    }
    host_fill_end(CTN_END_FORBIDDEN, call, 0, 0, pc, 0, (uint64_t)regs[REG_RBP]);
}

static int in_image(uint64_t pc)
{
    extern const char __executable_start[], etext[];
    return pc - (uint64_t)__executable_start < (uint64_t)etext - (uint64_t)__executable_start;
}

/* An instruction that could not be carried out, as opposed to a signal that somebody sent. */
static int is_fault(int signal, int code)
{
    int synchronous = signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL || signal == SIGTRAP;
    return synchronous && code != SI_USER && code != SI_TKILL && code != SI_QUEUE;
}

/* Code of the image that did it: also a call through a pointer that leads nowhere. */
static int by_image(uint64_t pc, uint64_t sp, uint64_t address)
{
    return in_image(pc) || (pc == address && host_on_stack(sp) && in_image(*(const uint64_t *)sp));
}

/* Hooks of inline.c that are called. They have no frame. */
static int in_hook(uint64_t pc)
{
    extern const char __start_ctn_hooks[] __attribute__((weak)), __stop_ctn_hooks[] __attribute__((weak));
    return pc - (uint64_t)__start_ctn_hooks < (uint64_t)__stop_ctn_hooks - (uint64_t)__start_ctn_hooks;
}

/* Whether the instruction before is a call of a hook. */
static int after_hook(uint64_t pc)
{
    int32_t distance;
    if (!in_image(pc) || !in_image(pc - 5) || *(const uint8_t *)(pc - 5) != 0xe8)
        return 0;
    memcpy(&distance, (const void *)(pc - 4), sizeof distance);
    return in_hook(pc + (uint64_t)(int64_t)distance);
}

/* Library code keeps no frame pointers: the first word above the stack pointer that points into the image is
 * taken for the call that led there. */
static uint64_t called_from(uint64_t pc, uint64_t sp, uint64_t fp)
{
    int hook = in_hook(pc);
    if (in_image(pc) && !hook)
        return pc;
    uint64_t end = host_on_stack(fp) && fp > sp ? fp : sp + 4096;
    for (; sp < end && host_on_stack(sp); sp += 8) {
        uint64_t word = *(const uint64_t *)sp;
        if (hook ? after_hook(word) : in_image(word))
            return word - 1;
    }
    return pc;
}

static void on_signal(int signal, siginfo_t *info, void *context)
{
    const greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;
    uint64_t pc = (uint64_t)regs[REG_RIP], sp = (uint64_t)regs[REG_RSP], fp = (uint64_t)regs[REG_RBP];
    uint64_t address = (uint64_t)info->si_addr;
    uint32_t end = CTN_END_OTHER_SIGNAL;
    int32_t value = signal;
    switch (signal) {
    case SIGSEGV:
    case SIGBUS:
        if (info->si_code == SEGV_ACCERR && (host_stack_grow(address) || host_snapshot_touch(address)))
            return;
        /* For addresses no pointer can have, the kernel gives none. */
        if (info->si_code == SI_KERNEL)
            address = ~0ull;
        end = host_stack_overflown(address, sp) ? CTN_END_STACK_OVERFLOW : CTN_END_SEGFAULT;
        if (host_arena_fault(address)) {
            end = CTN_END_VIOLATION;
            value = (int32_t)host_arena_fault(address);
        }
        break;
    case SIGFPE: end = CTN_END_ARITHMETIC_TRAP; break;
    case SIGABRT: end = CTN_END_ABORTED; break;
    case SIGXCPU: end = CTN_END_TIMEOUT; break;
    case SIGXFSZ: end = CTN_END_OUTPUT_LIMIT; break;
    case SIGSYS:
        if (host_running)
            forbidden(info, regs, called_from(pc, sp, fp));
        break;
    }
    if (!host_running) {
        /* Between executions nobody waits for an answer; the server sees the worker go. */
        host_exit(0);
    }
    host_fill_end(end, value, 0, 0, called_from(pc, sp, fp), address, fp);
    if (is_fault(signal, info->si_code) && by_image(pc, sp, address)) {
        /* The way back writes to watched pages: their faults must not be blocked. */
        host_signals_reset();
        host_leave();
    }
    host_exit(0);
}

/* The kernel's own call: the sandbox swallows every other attempt to set a handler. */
static void install(int signal, void *handler)
{
    struct { void *handler; unsigned long flags; void *restorer; uint64_t mask; } action;
    extern void host_sigreturn(void) __asm__("host_sigreturn");
    action.handler = handler;
    action.flags = SA_SIGINFO | SA_ONSTACK | 0x04000000 /* SA_RESTORER */;
    action.restorer = (void *)host_sigreturn;
    action.mask = ~0ull;
    syscall(SYS_rt_sigaction, signal, &action, 0, 8, CTN_CALL_MAGIC);
}

__asm__(".text\n"
        ".type host_sigreturn, @function\n"
        "host_sigreturn:\n\t"
        "movl $15, %eax\n\t"
        "syscall\n");

void host_signals_start(void)
{
    stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    sigaltstack(&stack, 0);
    for (unsigned i = 0; i < sizeof caught / sizeof *caught; i++)
        install(caught[i], (void *)on_signal);
    install(SIGPIPE, (void *)SIG_IGN);
    host_signals_reset();
}

/* Handlers cannot have changed (the sandbox sees to it), the mask can. */
void host_signals_reset(void)
{
    uint64_t none = 0;
    host_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)&none, 0, sizeof none, 0);
}
