/* What a program prints, and real files that it reads. Both are no inputs: bytes come and go without labels.
 * Output that would go to /dev/null is dropped here. */
#define _GNU_SOURCE
#include "cold.h"
#include "host.h"
#include "host_calls.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* --- output ------------------------------------------------------------------------------------------------- */

#define SHOWN_AT_ONCE 4096 /* longer texts are cut: nobody reads them */

RT_KEEP static uint8_t known[3], dropped[3];

static int is_dropped(int fd)
{
    if (fd < 0 || fd > 2)
        return 1;
    if (!known[fd]) {
        struct stat status;
        known[fd] = 1;
        dropped[fd] = host_call(SYS_fstat, fd, (long)&status, 0, 0, 0) != 0 ||
                      (S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3));
    }
    return dropped[fd];
}

void ctn_show_output(int fd, const void *from, unsigned long n)
{
    __ctn_ret[0] = 0;
    if (!is_dropped(fd))
        host_call(SYS_write, fd, (long)from, (long)n, 0, 0);
}

int ctn_show_format(int fd, const char *format, va_list more)
{
    char text[SHOWN_AT_ONCE];
    __ctn_foreign = 1;
    int n = vsnprintf(text, sizeof text, format, more);
    if (n > 0)
        ctn_show_output(fd, text, (unsigned)n < sizeof text ? (unsigned long)n : sizeof text - 1);
    __ctn_ret[0] = 0;
    return n;
}

unsigned long ctn_plain_length(const char *text)
{
    unsigned long n = 0;
    __ctn_ret[0] = 0;
    for (;; n++) {
        uint32_t label = *rt_shadow(text + n);
        if (label >= CTN_POISON_FIRST)
            rt_end(CTN_END_VIOLATION, label == CTN_HEAP_FREED ? CTN_CLASS_USE_AFTER_FREE : CTN_CLASS_OUT_OF_BOUNDS, 0, 0,
                   0, (uint64_t)(text + n));
        if (!text[n])
            return n;
    }
}

/* --- real files ----------------------------------------------------------------------------------------------- */

/* Mapped once and kept: an execution that reads a table of a megabyte does not copy it. */
#define MAX_FILES 64
#define NAME_ROOM 512
typedef struct { char path[NAME_ROOM]; const unsigned char *bytes; unsigned long length; } real_file;
RT_KEEP_TABLE static real_file files[MAX_FILES];
RT_KEEP static unsigned file_count;

static void map(real_file *file)
{
    struct stat status;
    int fd = (int)host_call(SYS_open, (long)file->path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
    if (fd < 0)
        return;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        void *at = mmap(0, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (at != MAP_FAILED) {
            file->bytes = at;
            file->length = (unsigned long)status.st_size;
        }
    }
    host_call(SYS_close, fd, 0, 0, 0, 0);
}

const unsigned char *ctn_real_file(const char *path, unsigned long *length)
{
    __ctn_ret[0] = 0;
    *length = 0;
    rt_unpoison(length, sizeof *length);
    unsigned i = 0;
    while (i < file_count && strcmp(files[i].path, path) != 0)
        i++;
    if (i == file_count) {
        if (file_count == MAX_FILES || strlen(path) >= NAME_ROOM)
            return 0;
        strcpy(files[file_count].path, path);
        map(&files[file_count++]);
    }
    *length = files[i].length;
    return files[i].bytes;
}
