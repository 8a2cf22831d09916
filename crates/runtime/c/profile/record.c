/* The call recorder: linked into a native build of the program whose functions call the two hooks below. Which
 * function called which goes to a shared file of this process, at once, so that nothing is lost when it crashes,
 * hangs or is killed. Without CTN_PROFILE_DIR nothing is recorded. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define QUIET __attribute__((no_instrument_function))
#define CAPACITY (1u << 16) /* distinct calls of one process */
#define DEPTH 4096          /* callers that are remembered; deeper ones are taken for the last of these */

/* The program's first byte: functions are told as distances from it. */
extern const char __executable_start[];

typedef struct {
    uint64_t magic;
    uint64_t capacity;
    uint64_t dropped; /* calls for which there was no room */
    uint64_t reserved;
    char program[480];
    uint64_t calls[CAPACITY]; /* caller << 32 | callee, 0 = free; caller 0 = nobody of the program */
} record_file;

static record_file *file;

typedef struct { uintptr_t frame; uint32_t function; } caller;
static __thread caller callers[DEPTH];
static __thread unsigned depth;

QUIET static void start(void)
{
    const char *directory = getenv("CTN_PROFILE_DIR");
    char path[4096];
    file = 0;
    if (!directory || snprintf(path, sizeof path, "%s/%ld-XXXXXX.calls", directory, (long)getpid()) >= (int)sizeof path)
        return;
    int fd = mkostemps(path, 6, O_CLOEXEC);
    if (fd < 0)
        return;
    if (ftruncate(fd, sizeof *file) == 0) {
        void *at = mmap(0, sizeof *file, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (at != MAP_FAILED) {
            record_file *made = at;
            ssize_t length = readlink("/proc/self/exe", made->program, sizeof made->program - 1);
            made->program[length < 0 ? 0 : length] = 0;
            made->capacity = CAPACITY;
            made->magic = 0x31736c6c6163ull; /* "calls1" */
            file = made;
        }
    }
    close(fd);
}

/* A child is an execution of its own. */
QUIET static void in_child(void) { start(); }

QUIET __attribute__((constructor(101))) static void begin(void)
{
    start();
    pthread_atfork(0, 0, in_child);
}

QUIET static void note(uint32_t from, uint32_t to)
{
    uint64_t call = (uint64_t)from << 32 | to;
    uint32_t at = (uint32_t)((call * 0x9e3779b97f4a7c15ull) >> 48) & (CAPACITY - 1);
    for (unsigned probes = 0; probes < CAPACITY; probes++, at = (at + 1) & (CAPACITY - 1)) {
        uint64_t there = __atomic_load_n(&file->calls[at], __ATOMIC_RELAXED);
        if (there == call)
            return;
        if (there == 0 && (__atomic_compare_exchange_n(&file->calls[at], &there, call, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED) || there == call))
            return;
    }
    __atomic_fetch_add(&file->dropped, 1, __ATOMIC_RELAXED);
}

QUIET void __cyg_profile_func_enter(void *function, void *site)
{
    (void)site;
    if (!file)
        return;
    /* Callers that longjmp left behind lie below the frame that is entered now. */
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    while (depth && callers[depth - 1].frame <= frame)
        depth--;
    uint32_t to = (uint32_t)((const char *)function - __executable_start);
    note(depth ? callers[depth - 1].function : 0, to);
    if (depth < DEPTH)
        callers[depth++] = (caller){frame, to};
}

QUIET void __cyg_profile_func_exit(void *function, void *site)
{
    (void)site;
    if (!file)
        return;
    uint32_t left = (uint32_t)((const char *)function - __executable_start);
    if (depth && callers[depth - 1].function == left)
        depth--;
}
