/* The same API as in exploration, for a native build under the sanitizers: slots take the values of a stored
 * input, nothing is symbolic, the program's own faults are left to the sanitizers. Settings come from the
 * environment: CTN_INPUT and CTN_MODES name files, CTN_DRIVER is `unit:index` in hexadecimal and decimal.
 * Exit codes of its own are REPLAY_*; what it says begins with "concertino: ". */
#define _GNU_SOURCE
#include "host.h"
#include "replay_files.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REPLAY_ASSUMPTION = 97, REPLAY_FORBIDDEN = 98, REPLAY_SETTINGS = 99 };

/* --- registration and the driver --------------------------------------------------------------------------- */

static const rt_unit *units[HOST_MAX_UNITS];
static unsigned unit_count;
typedef struct { unsigned tu, count; const ctn_driver *drivers; } driver_table;
static driver_table tables[HOST_MAX_UNITS];
static unsigned table_count;

void __ctn_register_unit(const rt_unit *unit)
{
    if (unit_count < HOST_MAX_UNITS)
        units[unit_count++] = unit;
}

void ctn_register_drivers(unsigned tu, const ctn_driver *drivers, unsigned count)
{
    if (table_count < HOST_MAX_UNITS)
        tables[table_count++] = (driver_table){tu, count, drivers};
}

static __attribute__((noreturn)) void wrong(const char *what)
{
    fprintf(stderr, "concertino: %s\n", what);
    _exit(REPLAY_SETTINGS);
}

static const char *setting(const char *name)
{
    const char *value = getenv(name);
    if (!value) {
        fprintf(stderr, "concertino: %s is not set\n", name);
        _exit(REPLAY_SETTINGS);
    }
    return value;
}

/* The whole file, with a zero after it: a mapping is never a multiple of the page too short for one. */
static const char *contents(const char *path)
{
    struct stat file;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &file) != 0)
        wrong("cannot read a file of the replay");
    char *text = mmap(0, (size_t)file.st_size + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (text == MAP_FAILED)
        wrong("no memory");
    for (ssize_t used = 0, n; used < file.st_size; used += n)
        if ((n = read(fd, text + used, (size_t)(file.st_size - used))) <= 0)
            wrong("cannot read a file of the replay");
    close(fd);
    return text;
}

/* Lines `default mode`, then `unit function mode`, all hexadecimal. */
static void apply_modes(const char *text)
{
    unsigned tu, function, mode;
    int used;
    if (sscanf(text, "default %x\n%n", &mode, &used) != 1)
        wrong("the file of modes is not one");
    for (unsigned u = 0; u < unit_count; u++)
        memset(units[u]->modes, (int)mode, units[u]->function_count);
    for (text += used; sscanf(text, "%x %x %x\n%n", &tu, &function, &mode, &used) == 3; text += used)
        for (unsigned u = 0; u < unit_count; u++)
            if (units[u]->tu == tu && function < units[u]->function_count)
                units[u]->modes[function] = (uint8_t)mode;
}

/* --- the input ------------------------------------------------------------------------------------------------ */

typedef struct { uint64_t hash; uint32_t occurrence; const char *digits; } stored;
static stored *slots;
static size_t slot_count;
static struct { uint64_t hash; uint32_t seen; } *counts;
static size_t count_used, count_room;

static void read_input(const char *text)
{
    if (strncmp(text, "concertino-input 1\n", 19) != 0)
        wrong("the input is not of this version");
    text += 19;
    size_t lines = 0;
    for (const char *t = text; *t; t++)
        lines += *t == '\n';
    slots = mmap(0, (lines + 1) * sizeof *slots, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (slots == MAP_FAILED)
        wrong("no memory");
    while (slot_count < lines) {
        /* Not sscanf: it measures all the text that is left, for each line. */
        char *after_hash, *after;
        unsigned long long hash = strtoull(text, &after_hash, 16);
        unsigned occurrence = (unsigned)strtoul(after_hash, &after, 16);
        if (after_hash == text || after == after_hash)
            wrong("the input has a line that is none");
        slots[slot_count++] = (stored){hash, occurrence, after + (*after == ' ')};
        text = strchr(text, '\n') + 1;
    }
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (uint8_t)*text) * 0x100000001b3ull;
    return hash;
}

static uint64_t hash_path(const ctn_path *at)
{
    uint64_t hash = at->up ? hash_path(at->up) : 0xcbf29ce484222325ull;
    if (at->name)
        return hash_text(hash, at->name);
    char index[32];
    snprintf(index, sizeof index, "[%ld]", at->index);
    return hash_text(hash, index);
}

/* Few slots are asked for in one execution: a list serves. */
static uint32_t occurrence_of(uint64_t hash)
{
    for (size_t i = 0; i < count_used; i++)
        if (counts[i].hash == hash)
            return counts[i].seen++;
    if (count_used == count_room) {
        count_room = count_room ? 2 * count_room : 256;
        counts = realloc(counts, count_room * sizeof *counts);
        if (!counts)
            wrong("no memory");
    }
    counts[count_used].hash = hash;
    counts[count_used++].seen = 1;
    return 0;
}

static unsigned digit(char c) { return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a' + 10); }

static void fill(void *p, uint64_t bytes, const ctn_path *at)
{
    uint64_t hash = hash_path(at);
    uint32_t occurrence = occurrence_of(hash);
    memset(p, 0, bytes);
    /* Slots are asked for in the order in which they are stored, nearly always. */
    static size_t next;
    for (size_t tried = 0; tried < slot_count; tried++) {
        size_t i = next + tried < slot_count ? next + tried : next + tried - slot_count;
        if (slots[i].hash != hash || slots[i].occurrence != occurrence)
            continue;
        const char *d = slots[i].digits;
        for (uint64_t b = 0; b < bytes && d[0] > ' ' && d[1] > ' '; b++, d += 2)
            ((uint8_t *)p)[b] = (uint8_t)(digit(d[0]) << 4 | digit(d[1]));
        next = i + 1 < slot_count ? i + 1 : 0;
        return;
    }
}

void ctn_value(void *p, unsigned long size, const ctn_path *at) { fill(p, size, at); }
void ctn_array(void *p, unsigned long size, unsigned long count, const ctn_path *at) { fill(p, size * count, at); }

unsigned long long ctn_bits(unsigned width, const ctn_path *at)
{
    unsigned long long value;
    fill(&value, 8, at);
    return width < 64 ? value & ((1ull << width) - 1) : value;
}

/* CTN_FILL: the run is to show what becomes of values that no driver gives. */
static int is_filled(void) { return getenv("CTN_FILL") != 0; }

void ctn_assume(int condition)
{
    if (!condition && !is_filled())
        rt_end(CTN_END_ASSUMPTION_FAILED, 0, 0, 0, 0, 0);
}

void ctn_limit(int condition) { ctn_assume(condition); }

void ctn_stop(void)
{
    rt_end(CTN_END_RETURNED, 0, 0, 0, 0, 0);
}

static unsigned word(unsigned n, const ctn_path *at)
{
    unsigned value;
    fill(&value, n <= 1u << 8 ? 1 : n <= 1u << 16 ? 2 : 4, at);
    if (n <= 1u << 16)
        value &= n <= 1u << 8 ? 0xff : 0xffff;
    return value;
}

unsigned ctn_choice(unsigned n, const ctn_path *at)
{
    unsigned value = word(n, at);
    return value < n ? value : 0;
}

void *ctn_or_null(void *p, const ctn_path *at)
{
    return p && ctn_choice(2, CTN_NAME(at, "?null")) ? 0 : p;
}

unsigned ctn_count(unsigned n, const ctn_path *at)
{
    unsigned value = word(n, at);
    ctn_limit(value < n || n == 0);
    return value;
}

unsigned ctn_setting(const ctn_path *at)
{
    unsigned char value;
    fill(&value, 1, at);
    return value;
}

/* All zero; or, with CTN_FILL, nothing that the program would want: what fails elsewhere then has taken something from
 * where the driver put nothing. */
void *ctn_alloc(unsigned long size)
{
    void *p = calloc(1, size);
    if (!p)
        wrong("the driver asks for more memory than there is");
    if (is_filled())
        memset(p, 0x5a, size);
    return p;
}

/* --- what process.c and the models want of the runtime --------------------------------------------------------- */

static ctn_header header;
ctn_header *rt_header = &header;
__thread uint32_t __ctn_args[64];
__thread uint32_t __ctn_ret[8];

void host_text(const char *text) { fprintf(stderr, "concertino: %s\n", text); }
void rt_unpoison(const void *p, uint64_t n) { (void)p, (void)n; }

uint32_t rt_node(uint8_t op, uint8_t sub, uint16_t bits, uint32_t a, uint32_t b, uint32_t c, uint64_t x, uint64_t y)
{
    (void)op, (void)sub, (void)bits, (void)a, (void)b, (void)c, (void)x, (void)y;
    return 0;
}

void rt_log(uint16_t kind, uint16_t aux, uint32_t tu, uint32_t site, uint32_t label, uint64_t value)
{
    (void)kind, (void)aux, (void)tu, (void)site, (void)label, (void)value;
}

uint32_t host_input_word(const char *slot, uint32_t *label)
{
    uint32_t value;
    fill(&value, 4, CTN_ROOT(slot));
    *label = 0;
    return value;
}

void rt_end(uint32_t end, int32_t value, uint32_t tu, uint32_t site, uint64_t pc, uint64_t address)
{
    (void)tu, (void)site, (void)pc, (void)address;
    if (end == CTN_END_EXITED)
        exit(value);
    if (end == CTN_END_ASSUMPTION_FAILED) {
        host_text("the input violates an assumption of the driver");
        _exit(REPLAY_ASSUMPTION);
    }
    _exit(REPLAY_FORBIDDEN);
}

int main(void)
{
    unsigned tu, index;
    if (sscanf(setting("CTN_DRIVER"), "%x:%u", &tu, &index) != 2)
        wrong("CTN_DRIVER is not `unit:index`");
    apply_modes(contents(setting("CTN_MODES")));
    read_input(contents(setting("CTN_INPUT")));
    replay_standard_input();
    for (unsigned t = 0; t < table_count; t++)
        if (tables[t].tu == tu && index < tables[t].count) {
            tables[t].drivers[index].drive();
            return 0;
        }
    wrong("the image has no such driver");
}
