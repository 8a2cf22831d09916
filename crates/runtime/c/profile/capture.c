/* Capture: the inputs of functions as real calls give them. Functions of the program call __fentry__ before anything
 * else; for some of the calls a copy of the process (no child that the program could wait for) goes to the function's
 * driver with the same arguments, notes what is at the driver's slots and ends. The program itself reads and writes
 * nothing, so nothing that the copy meets can hurt it. Samples of all processes go to one file, and how many there are
 * of each function is shared among them. Without CTN_SAMPLES nothing is captured. */
#define _GNU_SOURCE
#include "sample.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    FUNCTIONS = 1 << 15, /* with a driver, in one program */
    SHARED = 1 << 14,    /* functions of all programs */
    MOST = 32,           /* distinct samples of a function */
    TRIES = 4 * MOST,
    FIRST = 8,           /* calls that are all tried; then fewer and fewer of them */
    SECONDS = 5,         /* for a sample */
    AGAIN = 77           /* status of a copy whose buffers were too short */
};

/* --- how often: shared by all processes ---------------------------------------------------------------------- */

typedef struct {
    uint64_t key;
    uint32_t calls, next, tries, kept;
    uint64_t hashes[MOST];
} quota;

typedef struct { uintptr_t entry; const ctn_capture *what; quota *quota; } function;

static function functions[FUNCTIONS];
static unsigned tus[FUNCTIONS];
static quota *quotas;
static int samples = -1;

static void start(void)
{
    static int tried;
    const char *name = getenv("CTN_SAMPLES");
    char path[4096];
    if (tried++ || !name || snprintf(path, sizeof path, "%s.quota", name) >= (int)sizeof path)
        return;
    sample_before();
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    if (ftruncate(fd, SHARED * sizeof(quota)) == 0) {
        void *at = mmap(0, SHARED * sizeof(quota), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (at != MAP_FAILED)
            quotas = at;
    }
    close(fd);
    if (quotas)
        samples = open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    /* Out of the way of programs that count on the numbers of their files. */
    int high = samples < 0 ? -1 : fcntl(samples, F_DUPFD_CLOEXEC, 1000);
    if (high >= 0) {
        close(samples);
        samples = high;
    }
}

static uint64_t mixed(uint64_t x) { return (x ^ x >> 29) * 0x9e3779b97f4a7c15ull; }

static quota *quota_of(uint64_t key)
{
    uint32_t at = (uint32_t)(mixed(key) >> 40) & (SHARED - 1);
    for (unsigned probes = 0; probes < 64; probes++, at = (at + 1) & (SHARED - 1)) {
        uint64_t there = __atomic_load_n(&quotas[at].key, __ATOMIC_RELAXED);
        if (there == key)
            return &quotas[at];
        if (there == 0 && (__atomic_compare_exchange_n(&quotas[at].key, &there, key, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED) || there == key))
            return &quotas[at];
    }
    return 0;
}

static uint32_t place_of(uintptr_t entry) { return (uint32_t)(mixed(entry) >> 40) & (FUNCTIONS - 1); }

void ctn_register_captures(unsigned tu, const ctn_capture *captures, unsigned count)
{
    start();
    if (samples < 0)
        return;
    for (unsigned i = 0; i < count; i++) {
        uint64_t hash = 0xcbf29ce484222325ull ^ tu;
        for (const char *c = captures[i].function; *c; c++)
            hash = (hash ^ (uint8_t)*c) * 0x100000001b3ull;
        uintptr_t entry = (uintptr_t)captures[i].entry;
        uint32_t at = place_of(entry);
        for (unsigned probes = 0; probes < 64 && functions[at].entry; probes++)
            at = (at + 1) & (FUNCTIONS - 1);
        if (functions[at].entry)
            continue;
        tus[at] = tu;
        functions[at] = (function){entry, &captures[i], quota_of(hash | 1)};
    }
}

/* The driver to go to, from the address after the call of __fentry__; 0 for none, which is nearly always. Uses no
 * registers for numbers with a point: those still hold arguments. */
static __thread const function *current;

__attribute__((target("general-regs-only"), used)) const void *ctn_wanted(uintptr_t after)
{
    if (samples < 0)
        return 0;
    /* The call is five bytes, and a mark for indirect branches of four may stand before it. */
    for (uintptr_t entry = after - 5; entry + 9 >= after; entry -= 4)
        for (uint32_t at = place_of(entry); functions[at].entry; at = (at + 1) & (FUNCTIONS - 1)) {
            if (functions[at].entry != entry)
                continue;
            quota *q = functions[at].quota;
            if (!q || q->kept >= MOST || q->tries >= TRIES)
                return 0;
            uint32_t call = __atomic_fetch_add(&q->calls, 1, __ATOMIC_RELAXED);
            if (call >= FIRST && call < q->next)
                return 0;
            q->next = call + call / 8 + 1;
            __atomic_fetch_add(&q->tries, 1, __ATOMIC_RELAXED);
            current = &functions[at];
            return functions[at].what->capture;
        }
    return 0;
}

/* --- the copy ---------------------------------------------------------------------------------------------------- */

/* 1 in the copy, which has the same stack and goes on to the driver; 0 in the program, when the copy has ended. */
__attribute__((used)) int ctn_split(void)
{
    static __thread int busy;
    sigset_t all, before;
    int saved = errno, status = 0;
    if (busy)
        return 0;
    busy = 1;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    for (int is_long = 0; is_long < 2; is_long++) {
        long copy = syscall(SYS_clone, 0, 0, 0, 0, 0); /* no signal tells the program that it ended */
        if (copy == 0) {
            alarm(SECONDS);
            sample_start(is_long);
            return 1;
        }
        while (copy > 0 && waitpid((pid_t)copy, &status, __WCLONE) < 0 && errno == EINTR)
            ;
        if (copy < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != AGAIN)
            break;
    }
    sigprocmask(SIG_SETMASK, &before, 0);
    busy = 0;
    errno = saved;
    return 0;
}

#if defined(__x86_64__)
/* All registers that hold arguments are kept; the copy leaves to the driver as if the caller had called that. */
__asm__(".text\n"
        ".globl __fentry__\n"
        ".type __fentry__,@function\n"
        "__fentry__:\n"
        "    pushq %rbp\n"
        "    movq %rsp, %rbp\n"
        "    pushq %rax\n    pushq %rdi\n    pushq %rsi\n    pushq %rdx\n    pushq %rcx\n"
        "    pushq %r8\n    pushq %r9\n    pushq %r10\n    pushq %r11\n"
        "    subq $136, %rsp\n"
        "    andq $-16, %rsp\n"
        "    movq 8(%rbp), %rdi\n"
        "    call ctn_wanted\n"
        "    testq %rax, %rax\n"
        "    jz 1f\n"
        "    movq %rax, 128(%rsp)\n"
        "    movups %xmm0, (%rsp)\n    movups %xmm1, 16(%rsp)\n    movups %xmm2, 32(%rsp)\n"
        "    movups %xmm3, 48(%rsp)\n    movups %xmm4, 64(%rsp)\n    movups %xmm5, 80(%rsp)\n"
        "    movups %xmm6, 96(%rsp)\n    movups %xmm7, 112(%rsp)\n"
        "    call ctn_split\n"
        "    movups (%rsp), %xmm0\n    movups 16(%rsp), %xmm1\n    movups 32(%rsp), %xmm2\n"
        "    movups 48(%rsp), %xmm3\n    movups 64(%rsp), %xmm4\n    movups 80(%rsp), %xmm5\n"
        "    movups 96(%rsp), %xmm6\n    movups 112(%rsp), %xmm7\n"
        "    testl %eax, %eax\n"
        "    jz 1f\n"
        "    movq 128(%rsp), %rax\n"
        "    movq %rax, 8(%rbp)\n" /* in place of the function */
        "1:  leaq -72(%rbp), %rsp\n"
        "    popq %r11\n    popq %r10\n    popq %r9\n    popq %r8\n"
        "    popq %rcx\n    popq %rdx\n    popq %rsi\n    popq %rdi\n    popq %rax\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size __fentry__, .-__fentry__\n");
#endif

/* --- what the copy gives back --------------------------------------------------------------------------------------- */

void capture_again(void) { _exit(AGAIN); }

void capture_keep(const char *text, size_t length, int flags, unsigned left)
{
    quota *q = current->quota;
    uint64_t hash = 0xcbf29ce484222325ull;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)text[i]) * 0x100000001b3ull;
    uint32_t kept = q->kept < MOST ? q->kept : MOST;
    for (uint32_t i = 0; i < kept; i++)
        if (q->hashes[i] == hash)
            _exit(0);
    kept = __atomic_fetch_add(&q->kept, 1, __ATOMIC_RELAXED);
    if (kept < MOST) {
        q->hashes[kept] = hash;
        char head[512];
        int room = snprintf(head, sizeof head, "sample %08x %s %d %u\n", tus[current - functions],
                            current->what->function, flags, left);
        struct iovec parts[] = {{head, (size_t)room}, {(void *)text, length}, {"\n", 1}};
        /* One piece, so that samples of other processes do not come between. */
        if (room > 0 && room < (int)sizeof head && writev(samples, parts, 3) < 0)
            _exit(1);
    }
    _exit(0);
}
