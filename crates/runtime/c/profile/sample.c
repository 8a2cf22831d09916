/* What drivers that are written for capture ask for, in the copy of a process that one of them runs in: they read what is
 * there, as far as it can be read, into copies of their own, and every slot becomes a line of the sample. Nothing of the
 * program's is written but globals of this copy. How large an object is, is known of blocks of the C library's heap. */
#define _GNU_SOURCE
#include "sample.h"

#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    ARENA = 16 << 20, /* for copies of objects */
    TEXT = 4 << 20,   /* for a sample */
    SLOTS = 1 << 14,  /* in a sample */
    OUTSIDE = 1,      /* flags of a sample: the driver assumes that this cannot be, */
    TOO_LARGE = 2,    /* it makes nothing that large, */
    CUT = 4           /* of a buffer only the beginning was kept */
};

static uintptr_t heap_start;
static int is_long, can_be_long, flags;
static unsigned left;
static char *arena, *text;
static size_t arena_used, text_used;
static sigjmp_buf fault;
static volatile sig_atomic_t guarded;

void sample_before(void) { heap_start = (uintptr_t)sbrk(0); }

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

void sample_start(int with_long_buffers)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    struct sigaction act = {.sa_handler = on_fault, .sa_flags = SA_NODEFER};
    sigset_t none;
    for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++)
        sigaction(faults[i], &act, 0);
    act.sa_handler = SIG_DFL;
    sigaction(SIGALRM, &act, 0);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, 0);
    is_long = with_long_buffers;
    arena = fresh(ARENA);
    text = fresh(TEXT);
}

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

static void note_cut(int is_cut) { flags |= is_cut ? CUT : 0; }

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
            note_cut(length > size);
            have = length < size ? length : size;
            shift = size - have;
        } else {
            note_cut(heap > size + 16); /* used or not: nothing tells */
        }
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
    text_at[length] = 0;
    if (!end)
        note_cut(1);
    else if (!is_whole) /* a whole block may be no text: behind a NUL there may be more */
        memset(end, 0, (size_t)(text_at + length + 1 - end));
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

void ctn_assume(int condition) { flags |= condition ? 0 : OUTSIDE; }
void ctn_limit(int condition) { flags |= condition ? 0 : TOO_LARGE; }

void ctn_end_at(void *p, unsigned long size, unsigned long used) { (void)p, (void)size, (void)used; }

void *ctn_input_stream(unsigned long most, const ctn_path *at)
{
    (void)most, (void)at;
    left++;
    return 0;
}

void ctn_captured(void)
{
    if ((flags & (CUT | TOO_LARGE)) && can_be_long && !is_long)
        capture_again();
    capture_keep(text, text_used, flags, left);
}
