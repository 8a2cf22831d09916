/* Capture: the inputs of functions as real calls give them. Functions of the program call __fentry__ before anything
 * else; for some of the calls a copy of the process (no child that the program could wait for) goes to the function's
 * driver with the same arguments, notes what is at the driver's slots and ends. The program itself reads and writes
 * nothing, so nothing that the copy meets can hurt it. Samples of all processes go to one file, and how many there are
 * of each function is shared among them. Without CTN_SAMPLES nothing is captured. */
#define _GNU_SOURCE
#include "capture.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    FUNCTIONS = 1 << 15, /* with a driver, in one program */
    SHARED = 1 << 14,    /* functions of all programs */
    MOST = 32,           /* distinct samples of a function */
    TRIES = 4 * MOST,
    FIRST = 8,           /* calls that are all tried; then fewer and fewer of them */
    ARENA = 16 << 20,    /* for copies of objects */
    TEXT = 4 << 20,      /* for a sample */
    SLOTS = 1 << 14,     /* in a sample */
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
static uintptr_t heap_start;

static void start(void)
{
    static int tried;
    const char *name = getenv("CTN_SAMPLES");
    char path[4096];
    if (tried++ || !name || snprintf(path, sizeof path, "%s.quota", name) >= (int)sizeof path)
        return;
    heap_start = (uintptr_t)sbrk(0);
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

static __thread int is_long;
static int was_cut, can_be_long, outside;
static unsigned left;
static char *arena, *text;
static size_t arena_used, text_used;
static sigjmp_buf fault;
static volatile sig_atomic_t guarded;

static void on_fault(int signal)
{
    (void)signal;
    if (guarded)
        siglongjmp(fault, 1);
    ctn_captured(); /* what was told before counts */
}

static void *fresh(size_t size)
{
    void *p = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        _exit(1);
    return p;
}

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
    for (is_long = 0; is_long < 2; is_long++) {
        long copy = syscall(SYS_clone, 0, 0, 0, 0, 0); /* no signal tells the program that it ended */
        if (copy == 0) {
            static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
            struct sigaction act = {.sa_handler = on_fault, .sa_flags = SA_NODEFER};
            for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++)
                sigaction(faults[i], &act, 0);
            act.sa_handler = SIG_DFL;
            sigaction(SIGALRM, &act, 0);
            sigemptyset(&all);
            sigprocmask(SIG_SETMASK, &all, 0);
            alarm(SECONDS);
            arena = fresh(ARENA);
            text = fresh(TEXT);
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

/* --- reading ----------------------------------------------------------------------------------------------------- */

/* How much could be copied: memory that is not there ends it. */
static size_t copied(void *to, const void *from, size_t size)
{
    static volatile size_t done;
    done = 0;
    if (sigsetjmp(fault, 0) == 0) {
        guarded = 1;
        while (done < size) {
            size_t rest = 4096 - ((uintptr_t)from + done) % 4096;
            size_t part = size - done < rest ? size - done : rest;
            memcpy((char *)to + done, (const char *)from + done, part);
            done = done + part;
        }
    }
    guarded = 0;
    return done;
}

/* Bytes from p to the end of its block, where it is one of the C library's heap; else 0. */
static size_t heap_size(const void *p)
{
    uintptr_t at = (uintptr_t)p, end = (uintptr_t)sbrk(0);
    size_t size, next;
    if (at < heap_start + 16 || at >= end || at % 16 != 0)
        return 0;
    if (copied(&size, (const char *)p - 8, sizeof size) != sizeof size)
        return 0;
    size &= ~(size_t)7;
    if (size < 32 || size % 16 != 0 || size > end - (at - 16))
        return 0;
    if (size < end - (at - 16) && (copied(&next, (const char *)p - 8 + size, sizeof next) != sizeof next || !(next & 1)))
        return 0;
    return size - 8;
}

/* --- what drivers ask for ------------------------------------------------------------------------------------------ */

/* The pointer that is being told, and where what was made stands for something of the program. */
static struct { const void *pointer, *end; size_t element; int matched, known; unsigned choice; } told;
static struct { const char *base, *copy, *real; size_t size; } made[4096];
static size_t made_count;
static int is_whole; /* all of the last block of the heap was taken */

static const void *real_of(const void *pointer)
{
    const char *p = pointer;
    for (size_t i = 0; i < made_count; i++)
        if (p >= made[i].copy && p < made[i].copy + made[i].size)
            return made[i].real + (p - made[i].copy);
    return pointer;
}

void ctn_take(void *variable, unsigned long size, const void *from)
{
    memset(variable, 0, size);
    copied(variable, from, size);
}

void ctn_at(const void *place)
{
    memset(&told, 0, sizeof told);
    copied(&told.pointer, place, sizeof told.pointer);
    told.pointer = real_of(told.pointer);
    told.known = 1;
}

void ctn_element(unsigned long size) { told.element = size; }

void ctn_until(const void *end) { told.end = real_of(end); }

void ctn_candidate(unsigned n, const void *pointer)
{
    if (!told.matched && real_of(pointer) == told.pointer) {
        told.matched = 1;
        told.choice = n;
    }
}

static char *room(size_t size)
{
    size = (size + 31) & ~(size_t)15;
    if (size > ARENA - arena_used)
        ctn_captured();
    char *p = arena + arena_used;
    arena_used += size;
    return p;
}

void *ctn_alloc(unsigned long size)
{
    char *p = room(size);
    is_whole = 0;
    const char *real = told.pointer;
    if (told.known && real) {
        size_t heap = heap_size(real), have = heap && heap < size ? heap : size, shift = 0;
        if (!heap && told.element && told.element < have)
            have = told.element;
        if (told.end) {
            size_t length = (const char *)told.end > real ? (size_t)((const char *)told.end - real) : 0;
            was_cut |= length > size;
            have = length < size ? length : size;
            shift = size - have;
        }
        was_cut |= heap > size + 16;
        is_whole = heap && heap <= size + 16;
        copied(p + shift, real, have);
        if (made_count < sizeof made / sizeof *made) {
            made[made_count].base = p;
            made[made_count].copy = p + shift;
            made[made_count].real = real;
            made[made_count++].size = size - shift ? size - shift : 1;
        }
    }
    told.known = 0;
    return p;
}

unsigned long ctn_distance(const void *place, const void *start, unsigned long size)
{
    const char *there = 0;
    copied(&there, place, sizeof there);
    for (size_t i = made_count; there && start && i-- > 0;) {
        if (made[i].base != start)
            continue;
        /* The start itself moves where its contents do. */
        if (there == start)
            return (unsigned long)(made[i].copy - (const char *)start) / size;
        const char *real = real_of(there);
        return real < made[i].real ? 0 : (unsigned long)(real - made[i].real) / size;
    }
    return 0;
}

void ctn_cut(char *text_at, unsigned long length)
{
    char *end = memchr(text_at, 0, length + 1);
    if (is_whole) {
        text_at[length] = 0; /* may be no text: behind a NUL there may be more */
    } else if (end) {
        memset(end, 0, (size_t)(text_at + length + 1 - end));
    } else {
        text_at[length] = 0;
        was_cut = 1;
    }
}

/* --- the sample ---------------------------------------------------------------------------------------------------- */

static uint64_t hash_path(const ctn_path *at)
{
    uint64_t hash = at->up ? hash_path(at->up) : 0xcbf29ce484222325ull;
    char index[32];
    if (!at->name)
        snprintf(index, sizeof index, "[%ld]", at->index);
    for (const char *c = at->name ? at->name : index; *c; c++)
        hash = (hash ^ (uint8_t)*c) * 0x100000001b3ull;
    return hash;
}

static void say(const char *what)
{
    while (*what && text_used < TEXT - 1)
        text[text_used++] = *what++;
}

static void say_path(const ctn_path *at)
{
    char index[32];
    if (at->up)
        say_path(at->up);
    if (!at->name)
        snprintf(index, sizeof index, "[%ld]", at->index);
    say(at->name ? at->name : index);
}

/* A line: how often this path was told before, bits of an element, bytes, path. */
static void tell(const void *p, unsigned size, size_t count, const ctn_path *at)
{
    static struct { uint64_t hash; uint32_t seen; } seen[2 * SLOTS];
    static size_t slots;
    static const char digits[] = "0123456789abcdef";
    const uint8_t *bytes = p;
    size_t length = size * count;
    uint64_t hash = hash_path(at);
    uint32_t i = (uint32_t)(hash >> 20) & (2 * SLOTS - 1);
    if (++slots > SLOTS || 2 * length + 1200 > TEXT - text_used)
        ctn_captured();
    while (seen[i].seen && seen[i].hash != hash)
        i = (i + 1) & (2 * SLOTS - 1);
    seen[i].hash = hash;
    /* What is not told is zero. */
    while (length && !bytes[length - 1])
        length--;
    length = (length + size - 1) / size * size;
    char number[64];
    snprintf(number, sizeof number, "%x %u ", seen[i].seen++, 8 * size);
    say(number);
    for (size_t b = 0; b < length; b++) {
        text[text_used++] = digits[bytes[b] >> 4];
        text[text_used++] = digits[bytes[b] & 15];
    }
    say(length ? " " : "- ");
    say_path(at);
    say("\n");
}

void ctn_array(void *p, unsigned long size, unsigned long count, const ctn_path *at)
{
    int is_element = size == 1 || size == 2 || size == 4 || size == 8;
    if (!is_element) {
        count *= size;
        size = 1;
    }
    size_t used = arena_used;
    char *bytes = room(size * count);
    copied(bytes, p, size * count);
    tell(bytes, (unsigned)size, count, at);
    memset(bytes, 0, size * count);
    arena_used = used;
}

void ctn_value(void *p, unsigned long size, const ctn_path *at) { ctn_array(p, size, 1, at); }

static unsigned long long now;
void ctn_now(unsigned long long value) { now = value; }

unsigned long long ctn_bits(unsigned width, const ctn_path *at)
{
    unsigned long long value = width < 64 ? now & ((1ull << width) - 1) : now;
    now = 0;
    tell(&value, width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : 8, 1, at);
    return value;
}

static int ends_with(const ctn_path *at, const char *ending)
{
    size_t length = strlen(ending), have = at->name ? strlen(at->name) : 0;
    return have >= length && strcmp(at->name + have - length, ending) == 0;
}

unsigned ctn_choice(unsigned n, const ctn_path *at)
{
    unsigned char byte;
    unsigned choice = 0;
    if (ends_with(at, "?null"))
        choice = !told.known || !told.pointer || copied(&byte, told.pointer, 1) == 0;
    else if (ends_with(at, "?made"))
        choice = 1;
    else if (ends_with(at, "?other"))
        choice = !told.matched;
    else if (told.matched)
        choice = told.choice;
    else if (!ends_with(at, "?alias"))
        left++;
    if (choice >= n)
        choice = 0;
    tell(&choice, n <= 1u << 8 ? 1 : n <= 1u << 16 ? 2 : 4, 1, at);
    return choice;
}

unsigned ctn_count(unsigned n, const ctn_path *at)
{
    (void)n, (void)at;
    left++;
    return 0;
}

unsigned ctn_setting(const ctn_path *at)
{
    unsigned char value = (unsigned char)is_long;
    can_be_long = 1;
    tell(&value, 1, 1, at);
    return value;
}

void ctn_assume(int condition) { outside |= condition ? 0 : 1; }
void ctn_limit(int condition)
{
    outside |= condition ? 0 : 2;
    was_cut |= !condition; /* with long buffers it may not be too much */
}

void ctn_end_at(void *p, unsigned long size, unsigned long used) { (void)p, (void)size, (void)used; }

void *ctn_input_stream(unsigned long most, const ctn_path *at)
{
    (void)most, (void)at;
    left++;
    return 0;
}

void ctn_captured(void)
{
    quota *q = current->quota;
    if (was_cut && can_be_long && !is_long)
        _exit(AGAIN);
    uint64_t hash = 0xcbf29ce484222325ull;
    for (size_t i = 0; i < text_used; i++)
        hash = (hash ^ (uint8_t)text[i]) * 0x100000001b3ull;
    uint32_t kept = q->kept < MOST ? q->kept : MOST;
    for (uint32_t i = 0; i < kept; i++)
        if (q->hashes[i] == hash)
            _exit(0);
    kept = __atomic_fetch_add(&q->kept, 1, __ATOMIC_RELAXED);
    if (kept < MOST) {
        q->hashes[kept] = hash;
        /* One piece, so that samples of other processes do not come between. */
        char head[512];
        int length = snprintf(head, sizeof head, "sample %08x %s %d %u\n", tus[current - functions],
                              current->what->function, outside | (was_cut ? 4 : 0), left);
        size_t size = (size_t)length + text_used + 1;
        char *whole = fresh(size);
        if (length > 0 && length < (int)sizeof head) {
            memcpy(whole, head, (size_t)length);
            memcpy(whole + length, text, text_used);
            whole[size - 1] = '\n';
            if (write(samples, whole, size) != (ssize_t)size)
                _exit(1);
        }
    }
    _exit(0);
}
