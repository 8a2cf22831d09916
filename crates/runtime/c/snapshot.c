/* The writable memory of the process as it was before the first execution: variables of the image and of its
 * libraries, the main thread's thread-local block, and the start-up part of the heap. A reset copies it back.
 * Large areas are watched: their pages are write-protected until the first write, and only pages that were
 * ever written are copied; small ones of libraries are copied only where library code may have run. Not covered:
 * mappings made by the code, and what RT_KEEP marks. Limit: a system call that writes to a watched page before the
 * program did fails with EFAULT. */
#define _GNU_SOURCE
#include "host.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE 4096ull
#define MAX_RANGES 1024
/* Smaller areas are copied whole. Of the image that is more: a system call is more likely to write there. */
#define WATCH_IMAGE_FROM   (64ull << 10)
#define WATCH_LIBRARY_FROM (8ull << 10)

typedef struct { uint64_t from, to; char *copy; int of_library; } range;

RT_KEEP_TABLE static range plain[MAX_RANGES], watched[MAX_RANGES];
RT_KEEP static unsigned plain_count, watched_count;
/* Pages of watched areas that were written, in the order of their first write. */
RT_KEEP static uint64_t *hot;
RT_KEEP static uint64_t hot_count, hot_room;
RT_KEEP static uint64_t keep_from, keep_to;

static char *map(uint64_t bytes)
{
    char *p = mmap(0, bytes ? bytes : 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        host_fail("no memory for the snapshot", "");
    return p;
}

/* --- which memory ----------------------------------------------------------------------------------------- */

static void add_plain(uint64_t from, uint64_t to, int of_library)
{
    if (from >= to)
        return;
    if (plain_count == MAX_RANGES)
        host_fail("too many areas for a snapshot", "");
    plain[plain_count++] = (range){from, to, 0, of_library};
}

static void add(uint64_t from, uint64_t to, uint64_t watch_from, int of_library)
{
    uint64_t first = (from + PAGE - 1) & ~(PAGE - 1), last = to & ~(PAGE - 1);
    if (to - from < watch_from || watched_count == MAX_RANGES) {
        add_plain(from, to, of_library);
        return;
    }
    add_plain(from, first, of_library);
    watched[watched_count++] = (range){first, last, 0, of_library};
    add_plain(last, to, of_library);
}

static void add_around_keep(uint64_t from, uint64_t to, int of_library)
{
    uint64_t watch_from = of_library ? WATCH_LIBRARY_FROM : WATCH_IMAGE_FROM;
    if (keep_from < keep_to && keep_from < to && keep_to > from) {
        if (from < keep_from)
            add(from, keep_from, watch_from, of_library);
        if (keep_to < to)
            add(keep_to, to, watch_from, of_library);
    } else if (from < to) {
        add(from, to, watch_from, of_library);
    }
}

/* Writable segments, without what the loader made read-only after relocating. */
static int add_module(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    int of_library = info->dlpi_addr != rt_header->image_base;
    uint64_t relro_from = 0, relro_to = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type == PT_GNU_RELRO) {
            relro_from = (info->dlpi_addr + p->p_vaddr) & ~(PAGE - 1);
            relro_to = (info->dlpi_addr + p->p_vaddr + p->p_memsz) & ~(PAGE - 1);
        }
        if (p->p_type == PT_TLS && info->dlpi_tls_data)
            add_plain((uint64_t)info->dlpi_tls_data, (uint64_t)info->dlpi_tls_data + p->p_memsz, 0); /* errno */
    }
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_W))
            continue;
        uint64_t from = info->dlpi_addr + p->p_vaddr, to = from + p->p_memsz;
        if (relro_from <= from && relro_to > from)
            from = relro_to;
        add_around_keep(from, to, of_library);
    }
    return 0;
}

/* The kept sections have no symbols of their own: their place is in the section table of the file. */
static void find_keep(void)
{
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat file;
    if (fd < 0 || fstat(fd, &file) != 0)
        host_fail("cannot read the image's own file", "");
    const char *elf = mmap(0, (size_t)file.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (elf == MAP_FAILED)
        host_fail("cannot read the image's own file", "");
    const ElfW(Ehdr) *head = (const void *)elf;
    const ElfW(Shdr) *sections = (const void *)(elf + head->e_shoff);
    const char *names = elf + sections[head->e_shstrndx].sh_offset;
    static const char kept[] = ".ctn_keep"; /* and what begins so, which the linker puts beside it */
    unsigned last = 0;
    for (unsigned i = 0; i < head->e_shnum; i++) {
        if (strncmp(names + sections[i].sh_name, kept, sizeof kept - 1) != 0)
            continue;
        if (last && last != i - 1)
            host_fail("the image's kept sections are apart", "");
        uint64_t from = rt_header->image_base + sections[i].sh_addr;
        keep_from = last ? keep_from : from;
        keep_to = from + sections[i].sh_size;
        last = i;
    }
    munmap((void *)elf, (size_t)file.st_size);
    if (!keep_from)
        host_fail("the image has no section .ctn_keep", "");
}

/* --- taking and restoring --------------------------------------------------------------------------------- */

/* The thread descriptor follows the thread-local blocks; its size is glibc's, and the same since 2.34. */
#define THREAD_DESCRIPTOR 2304

void host_snapshot_take(void)
{
    find_keep();
    dl_iterate_phdr(add_module, 0);
    uint64_t thread = (uint64_t)__builtin_thread_pointer();
    add_plain(thread, thread + THREAD_DESCRIPTOR, 1);
    add(CTN_ARENA_BASE, CTN_ARENA_BASE + host_arena_kept(), WATCH_LIBRARY_FROM, 0);

    uint64_t total = 0, pages = 0;
    for (unsigned i = 0; i < plain_count; i++)
        total += plain[i].to - plain[i].from;
    for (unsigned i = 0; i < watched_count; i++) {
        total += watched[i].to - watched[i].from;
        pages += (watched[i].to - watched[i].from) / PAGE;
    }
    char *copy = map(total);
    hot_room = pages;
    hot = (uint64_t *)map(pages * sizeof *hot);
    for (unsigned i = 0; i < plain_count; i++) {
        plain[i].copy = copy;
        copy += plain[i].to - plain[i].from;
    }
    for (unsigned i = 0; i < watched_count; i++) {
        watched[i].copy = copy;
        copy += watched[i].to - watched[i].from;
    }
    for (unsigned i = 0; i < plain_count; i++)
        memcpy(plain[i].copy, (void *)plain[i].from, plain[i].to - plain[i].from);
    for (unsigned i = 0; i < watched_count; i++)
        memcpy(watched[i].copy, (void *)watched[i].from, watched[i].to - watched[i].from);
    for (unsigned i = 0; i < watched_count; i++)
        mprotect((void *)watched[i].from, watched[i].to - watched[i].from, PROT_READ);
}

int host_snapshot_touch(uint64_t address)
{
    uint64_t page = address & ~(PAGE - 1);
    for (unsigned i = 0; i < watched_count; i++)
        if (page >= watched[i].from && page < watched[i].to) {
            /* A page that is writable and still faults is a fault of the program. */
            for (uint64_t h = hot_count; h-- > 0;)
                if (hot[h] == page)
                    return 0;
            if (hot_count == hot_room || mprotect((void *)page, PAGE, PROT_READ | PROT_WRITE) != 0)
                return 0;
            hot[hot_count++] = page;
            return 1;
        }
    return 0;
}

static const char *saved(uint64_t page)
{
    for (unsigned i = 0; i < watched_count; i++)
        if (page >= watched[i].from && page < watched[i].to)
            return watched[i].copy + (page - watched[i].from);
    return 0;
}

void host_snapshot_restore(int libraries_too)
{
    for (unsigned i = 0; i < plain_count; i++)
        if (!plain[i].of_library || libraries_too)
            memcpy((void *)plain[i].from, plain[i].copy, plain[i].to - plain[i].from);
    for (uint64_t h = 0; h < hot_count; h++)
        memcpy((void *)hot[h], saved(hot[h]), PAGE);
}
