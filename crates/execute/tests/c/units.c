/* Units written by hand in place of instrumented ones: each driver is one behaviour that the tests of this
 * crate expect an ending from. What the instrumenter would redirect is called by its ctn_ name. */
#define _GNU_SOURCE
#include "ctn.h"
#include "rt.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

void ctn_exit(int), ctn_abort(void), ctn_assert_fail(const char *, const char *, unsigned, const char *);
void ctn_longjmp(jmp_buf, int);
int ctn_raise(int);
void *ctn_mmap(void *, size_t, int, int, int, off_t);

/* An answer for the test: exit codes carry small numbers out of an execution. */
static void answer(int code) { ctn_exit(code); }

static void answer_if(int code) { if (code) answer(code); }

static void nothing(void) {}

static void sum_of_bytes(void)
{
    unsigned char bytes[4];
    unsigned short word;
    ctn_array(bytes, 1, 4, CTN_ROOT("bytes"));
    ctn_value(&word, 2, CTN_NAME(CTN_INDEX(CTN_ROOT("table"), 3), ".word"));
    answer(bytes[0] + bytes[1] + bytes[2] + bytes[3] + word);
}

static void same_slot_twice(void)
{
    int a, b;
    ctn_value(&a, 4, CTN_ROOT("x"));
    ctn_value(&b, 4, CTN_ROOT("x"));
    answer(a * 10 + b);
}

static void bits_and_choice(void)
{
    unsigned long long bits = ctn_bits(3, CTN_ROOT("flags"));
    unsigned choice = ctn_choice(5, CTN_ROOT("which"));
    answer((int)(bits * 10 + choice));
}

static void assumes(void)
{
    int x;
    ctn_value(&x, 4, CTN_ROOT("x"));
    ctn_assume(x > 3);
    answer(x);
}

static void reads_null(void) { *(volatile int *)8; }
static void reads_wild(void) { *(volatile char *)0x1234567890ab; }
static void reads_no_address(void) { *(volatile char *)0x8000000000000000; }
static void divides(void) { volatile int zero = 0, one = 1; zero = one / zero; }
static void traps(void) { __builtin_trap(); }
static void aborts(void) { ctn_abort(); }
static void aborts_in_library(void) { abort(); }
static void exits_in_library(void) { exit(7); }
static void asserts(void) { ctn_assert_fail("x > 0", "widget.c", 42, "turn"); }
static void raises(void) { ctn_raise(SIGTERM); }
static void raises_in_library(void) { raise(SIGUSR1); }
static void loops(void) { for (volatile int i = 0;; i++) ; }

static void naps(void) { usleep(500000); }
static void waits_for_ever(void) { int ends[2]; char c; if (pipe(ends) == 0) answer((int)read(ends[0], &c, 1)); }

static void loops_deaf(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, 0);
    loops();
}

static int depth(volatile int n) { volatile char room[200]; room[0] = (char)n; return depth(n + 1) + room[0]; }
static void recurses(void) { depth(0); }
static int shallow(int n) { volatile char room[1000]; room[n % 1000] = 1; return n ? shallow(n - 1) + room[n % 1000] : 0; }
static void recurses_a_little(void) { answer(shallow(5000) > 0); }

static void eats_memory(void) { for (;;) memset(malloc(1 << 20), 1, 1 << 20); }
static void asks_for_too_much(void) { answer(malloc((size_t)-1) == 0 && malloc((size_t)1 << 45) == 0); }
static void frees_twice(void) { char *p = malloc(10); free(p); free(p); }
static void uses_large_after_free(void) { char *p = malloc(5 << 20); p[99999] = 1; free(p); p[99999] = 2; }
static void churns_large(void) { for (int i = 0; i < 200; i++) { char *p = malloc(3 << 20); answer_if(*p); *p = 1; free(p); } answer(0); }
static void frees_inside(void) { char *p = malloc(10); free(p + 1); }

static void heap_is_poisoned_around(void)
{
    char *p = malloc(13), *q = realloc(malloc(3), 100);
    int ok = !*rt_shadow(p) && !*rt_shadow(p + 12) && *rt_shadow(p + 13) == CTN_HEAP_REDZONE
             && *rt_shadow(p - 1) == CTN_HEAP_REDZONE && !*rt_shadow(q + 99) && *rt_shadow(q + 100);
    free(p);
    answer(ok && *rt_shadow(p) == CTN_HEAP_FREED && *rt_shadow(p + 12) == CTN_HEAP_FREED);
}

/* Whatever is no block is poisoned or not accessible, however the heap grew. */
static void heap_has_no_holes(void)
{
    static const unsigned sizes[] = {1, 16, 100, 5000, 65536, 70001, 300000, 17, 4096, 131072 - 16};
    char *blocks[10], *last = 0;
    for (int i = 0; i < 10; i++) {
        blocks[i] = i % 2 ? memalign(256, sizes[i]) : malloc(sizes[i]);
        last = blocks[i];
    }
    for (int i = 0; i < 10; i++) {
        for (unsigned b = 0; b < sizes[i]; b++)
            if (*rt_shadow(blocks[i] + b))
                answer(10 + i);
        char *next = i < 9 ? blocks[i + 1] : last + sizes[9] + 16;
        for (char *p = blocks[i] + sizes[i]; p < next; p++)
            if (*rt_shadow(p) != CTN_HEAP_REDZONE)
                answer(20 + i);
    }
    *(volatile char *)(last + (1 << 20)) = 1;
}

static void heap_churns(void)
{
    for (int i = 0; i < 400000; i++) {
        char *p = malloc(1000);
        if (*p)
            answer(1);
        memset(p, 1, 1000);
        free(p);
    }
    answer(0);
}

/* What an earlier execution left behind, in any kind of memory. */
static int in_data = 5, in_bss;
static char large[1 << 20];
static __thread int in_tls;
static char *kept_on_heap;

static void leaves_traces(void)
{
    volatile int on_stack[64];
    int traces = in_data != 5 || in_bss || large[70000] || in_tls || errno || kept_on_heap;
    char *block = malloc(64);
    for (int i = 0; i < 64; i++)
        traces |= block[i];
    traces |= open("/dev/null", O_RDONLY) != 3;
    traces |= rand() != 1804289383; /* the first of glibc's default sequence */
    uintptr_t where = (uintptr_t)block ^ (uintptr_t)on_stack;
    in_data = in_bss = in_tls = errno = 9;
    large[70000] = large[1 << 19] = 1;
    memset(block, 1, 64);
    kept_on_heap = block;
    fprintf(stderr, "noise");
    close(0);
    answer(traces ? 100 : (int)(where >> 4 & 63));
}

static void jumps(void)
{
    jmp_buf env;
    int n = setjmp(env);
    if (n == 3)
        answer(n);
    ctn_longjmp(env, n + 1);
}

static void jumps_nowhere(void)
{
    jmp_buf env;
    memset(env, 0, sizeof env);
    ctn_longjmp(env, 1);
}

static void maps_memory(void) { answer(ctn_mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != 0); }

/* Crimes. Each tells by its exit code whether it succeeded (1) or was refused (0). */
static void path_outside(char *path)
{
    ctn_array(path, 1, 256, CTN_ROOT("path"));
    path[255] = 0;
}

static void unlinks(void) { char path[256]; path_outside(path); answer(unlink(path) == 0); }
static void overwrites(void) { char path[256]; path_outside(path); answer(open(path, O_WRONLY | O_TRUNC) >= 0); }
static void changes_mode(void) { char path[256]; path_outside(path); answer(chmod(path, 0) == 0); }
static void creates_in_scratch(void) { answer(open("made-here", O_CREAT | O_WRONLY, 0600) >= 0); }
static void opens_socket(void) { answer(socket(AF_INET, SOCK_STREAM, 0) >= 0); }
static void forks(void) { answer(fork() >= 0); }
static void executes(void) { answer(system("true") == 0); }
/* SIGWINCH is harmless: should the sandbox fail, the test fails and nothing else. */
static void signals_parent(void) { kill(getppid(), SIGWINCH); answer(1); }
static void signals_all(void) { kill(-1, SIGWINCH); answer(1); }
static void leaves_group(void) { answer(setpgid(0, 0) == 0 && getpgrp() == getpid()); }

static void writes_without_end(void)
{
    int fd = open("big", O_CREAT | O_WRONLY, 0600);
    static char block[1 << 16];
    for (int i = 0; i < 100000; i++)
        if (write(fd, block, sizeof block) < 0)
            answer(1);
}

static void ignores_fault(int signal) { (void)signal; }

static void catches_faults(void)
{
    signal(SIGSEGV, ignores_fault);
    reads_null();
}

static void scribbles(void)
{
    memset((char *)CTN_SHM_BASE, 0xff, 4096);
    reads_null();
}

static void truncates(void)
{
    answer(ftruncate(CTN_SHM_FD, 0) == 0 || ftruncate(CTN_SHM_FD, 1l << 40) == 0);
}

/* Numbers of any size over the header and over what the log, the nodes, the data and the names hold; then it
 * returns, faults or exits. */
static void scribbles_at_random(void)
{
    unsigned long state;
    ctn_value(&state, sizeof state, CTN_ROOT("seed"));
    const ctn_header header = *(const ctn_header *)CTN_SHM_BASE;
    const unsigned long regions[][2] = {
        {0, sizeof header}, {0, 4096}, {header.log_offset, 4096}, {header.nodes_offset, 4096},
        {header.data_offset, 4096}, {header.names_offset, 4096}, {header.input_offset, 4096},
    };
    for (int i = 0; i < 40; i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        const unsigned long *region = regions[state >> 20 & 3 ? (state >> 8) % 7 : 0];
        unsigned long value = state >> (state >> 50 & 63);
        memcpy((char *)CTN_SHM_BASE + region[0] + (state >> 32) % (region[1] - 8), &value, 1u << (state & 3));
    }
    if (state & 4) reads_null();
    if (state & 8) answer(1);
}

#define DRIVER(f) {#f, f}
static const ctn_driver drivers[] = {
    DRIVER(nothing), DRIVER(sum_of_bytes), DRIVER(same_slot_twice), DRIVER(bits_and_choice), DRIVER(assumes),
    DRIVER(reads_null), DRIVER(reads_wild), DRIVER(reads_no_address), DRIVER(divides), DRIVER(traps),
    DRIVER(aborts), DRIVER(aborts_in_library), DRIVER(exits_in_library), DRIVER(asserts), DRIVER(raises),
    DRIVER(raises_in_library), DRIVER(loops), DRIVER(loops_deaf), DRIVER(naps), DRIVER(waits_for_ever), DRIVER(recurses), DRIVER(recurses_a_little),
    DRIVER(eats_memory), DRIVER(asks_for_too_much), DRIVER(frees_twice), DRIVER(frees_inside), DRIVER(uses_large_after_free), DRIVER(churns_large),
    DRIVER(heap_is_poisoned_around), DRIVER(heap_has_no_holes), DRIVER(heap_churns), DRIVER(leaves_traces), DRIVER(jumps),
    DRIVER(jumps_nowhere), DRIVER(maps_memory), DRIVER(unlinks), DRIVER(overwrites), DRIVER(changes_mode),
    DRIVER(creates_in_scratch), DRIVER(opens_socket), DRIVER(forks), DRIVER(executes), DRIVER(signals_parent),
    DRIVER(signals_all), DRIVER(leaves_group), DRIVER(writes_without_end), DRIVER(catches_faults), DRIVER(scribbles),
    DRIVER(truncates), DRIVER(scribbles_at_random),
};

__attribute__((constructor)) static void register_drivers(void)
{
    ctn_register_drivers(7, drivers, sizeof drivers / sizeof *drivers);
}
