/* Descriptors of the model file system: unistd.h and fcntl.h. Each number is also taken in the kernel, by
 * /dev/null, so that it is the one the program would get and what is not modelled finds it open.
 * Limits: reads are never short but at the end; access rights are those of the owner. */
#define _GNU_SOURCE
#include "../ctn.h"
#include "../host_calls.h"
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Files that units ask for, and how long they are. */
enum { ASKED_MAX = 8, ASKED_LENGTH = 64 };

static description standard[3] = {
    {&ctn_standard_input, 0, O_RDONLY, 1},
    {&ctn_standard_output, 0, O_WRONLY, 1},
    {&ctn_standard_output, 0, O_WRONLY, 1},
};
static description *descriptors[DESCRIPTORS_MAX] = {&standard[0], &standard[1], &standard[2]};

description *ctn_description(int fd)
{
    if (fd >= 0 && fd < DESCRIPTORS_MAX && descriptors[fd] != NULL) return descriptors[fd];
    errno = EBADF;
    return NULL;
}

static int is_readable(const description *d) { return (d->flags & O_ACCMODE) != O_WRONLY; }
static int is_writable(const description *d) { return (d->flags & O_ACCMODE) != O_RDONLY; }

int ctn_new_descriptor(model_file *file, int flags)
{
    description *d = malloc(sizeof *d);
    int fd = d == NULL ? -1 : (int)syscall(SYS_open, "/dev/null", O_RDWR | O_CLOEXEC);
    if (fd < 0 || fd >= DESCRIPTORS_MAX) {
        if (fd >= 0) syscall(SYS_close, fd);
        free(d);
        errno = EMFILE;
        return -1;
    }
    *d = (description){file, 0, flags, 1};
    file->uses++;
    descriptors[fd] = d;
    return fd;
}

/* A nameless file of which the contents are an input, if there is a slot for them. */
static int input_descriptor(const char *slot, size_t most, mode_t mode, int flags)
{
    model_file *file = calloc(1, sizeof *file);
    if (file == NULL) return -1;
    file->slot = slot;
    file->most = most;
    file->mode = mode;
    int fd = ctn_new_descriptor(file, flags);
    if (fd < 0) free(file);
    return fd;
}

int ctn_input_descriptor(const char *slot, size_t most)
{
    return input_descriptor(slot, most, S_IFSOCK | 0600, O_RDWR);
}

static void leave(description *d)
{
    if (--d->uses > 0) return;
    ctn_drop_file(d->file);
    if (d < standard || d >= standard + 3) free(d);
}

static int fail(int error)
{
    errno = error;
    return -1;
}

/* /dev/stdin and its like are the descriptors themselves. */
static int standard_descriptor(const char *name)
{
    static const char *const names[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
    for (int fd = 0; fd < 3; fd++)
        if (ctn_model_strcmp(name, names[fd]) == 0) return fd;
    return -1;
}

int ctn_open_file(const char *name, int flags, mode_t mode)
{
    if (*name == '\0') return fail(ENOENT);
    int fd = name[0] == '/' ? standard_descriptor(name) : -1;
    if (fd >= 0) {
        description *d = ctn_description(fd);
        return d == NULL ? fail(ENOENT) : ctn_new_descriptor(d->file, flags);
    }
    model_file *file = ctn_find_file(name);
    int writes = (flags & O_ACCMODE) != O_RDONLY;
    if (file == NULL) {
        /* Other directories do not exist. */
        if (!(flags & O_CREAT) || ctn_model_strchr(name, '/') != NULL) return fail(ENOENT);
        file = ctn_make_file(name, S_IFREG | (mode & 0777));
        if (file == NULL) return -1;
    } else {
        if ((flags & O_CREAT) && (flags & O_EXCL)) return fail(EEXIST);
        if (S_ISDIR(file->mode) && writes) return fail(EISDIR);
        if (!S_ISDIR(file->mode) && (flags & O_DIRECTORY)) return fail(ENOTDIR);
        if (writes && !(file->mode & 0200)) return fail(EACCES);
        if ((flags & O_TRUNC) && writes && S_ISREG(file->mode)) {
            file->slot = NULL;
            file->length = 0;
        }
    }
    return ctn_new_descriptor(ctn_use_contents(file), flags);
}

/* A function by itself does not say which files there are: one that is not there, or lies in another directory, is there
 * if an input says so (`open()`), with contents of its own (`file[0]`). Each time it is opened it is another one. */
int ctn_open_or_ask(const char *name, int flags, mode_t mode)
{
    static unsigned count;
    int fd = ctn_open_file(name, flags, mode);
    if (fd >= 0 || errno != ENOENT || *name == '\0' || ctn_files_are_declared || count == ASKED_MAX) return fd;
    if (ctn_choice(2, CTN_ROOT("open()")) == 0) return fail(ENOENT);
    char *slot = malloc(sizeof "file[0]");
    if (slot == NULL) return fail(ENOMEM);
    ctn_model_strcpy(slot, "file[0]");
    slot[5] = (char)('0' + count++);
    return input_descriptor((flags & O_CREAT) ? NULL : slot, ASKED_LENGTH, S_IFREG | 0644, flags);
}

static int takes_mode(int flags) { return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE; }

int ctn_model_open(const char *name, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = takes_mode(flags) ? va_arg(more, mode_t) : 0;
    va_end(more);
    return ctn_open_or_ask(name, flags, mode);
}

int ctn_model_openat(int directory, const char *name, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = takes_mode(flags) ? va_arg(more, mode_t) : 0;
    va_end(more);
    if (directory != AT_FDCWD && *name != '/' && ctn_description(directory) == NULL) return -1;
    return ctn_open_file(name, flags, mode);
}

int ctn_model_creat(const char *name, mode_t mode)
{
    return ctn_open_file(name, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

int ctn_model_close(int fd)
{
    description *d = ctn_description(fd);
    if (d == NULL) return -1;
    descriptors[fd] = NULL;
    syscall(SYS_close, fd);
    leave(d);
    return 0;
}

/* --- contents ---------------------------------------------------------------------------------------------------- */

ssize_t ctn_read_at(description *d, void *to, size_t n)
{
    model_file *file = ctn_use_contents(d->file);
    if (!is_readable(d)) return fail(EBADF);
    if (S_ISDIR(file->mode)) return fail(EISDIR);
    if (d->position >= file->length) return 0;
    size_t left = file->length - d->position, taken = n < left ? n : left;
    memcpy(to, file->bytes + d->position, taken);
    d->position += taken;
    return (ssize_t)taken;
}

ssize_t ctn_write_at(int fd, description *d, const void *from, size_t n)
{
    model_file *file = ctn_use_contents(d->file);
    if (!is_writable(d)) return fail(EBADF);
    if (S_ISFIFO(file->mode)) ctn_show_output(fd, from, n);
    if (!S_ISREG(file->mode)) return (ssize_t)n;
    if (d->flags & O_APPEND) d->position = file->length;
    if (n == 0) return 0;
    if (n > SSIZE_MAX - d->position) return fail(EFBIG);
    size_t end = d->position + n;
    if (end > file->length && ctn_resize_file(file, end) != 0) return -1;
    /* The contents of a real file are not ours to write to. */
    if (file->room == 0 && ctn_resize_file(file, file->length) != 0) return -1;
    memcpy(file->bytes + d->position, from, n);
    d->position = end;
    return (ssize_t)n;
}

off_t ctn_seek(description *d, off_t offset, int whence)
{
    model_file *file = ctn_use_contents(d->file);
    if (S_ISFIFO(file->mode) || S_ISSOCK(file->mode)) return fail(ESPIPE);
    if (S_ISCHR(file->mode)) return 0;
    off_t from;
    switch (whence) {
    case SEEK_SET: from = 0; break;
    case SEEK_CUR: from = (off_t)d->position; break;
    case SEEK_END: from = (off_t)file->length; break;
    default: return fail(EINVAL);
    }
    if (__builtin_add_overflow(from, offset, &from)) return fail(EOVERFLOW);
    if (from < 0) return fail(EINVAL);
    d->position = (size_t)from;
    return from;
}

ssize_t ctn_model_read(int fd, void *to, size_t n)
{
    description *d = ctn_description(fd);
    return d == NULL ? -1 : ctn_read_at(d, to, n);
}

ssize_t ctn_model_write(int fd, const void *from, size_t n)
{
    description *d = ctn_description(fd);
    return d == NULL ? -1 : ctn_write_at(fd, d, from, n);
}

ssize_t ctn_model_pread(int fd, void *to, size_t n, off_t offset)
{
    description *d = ctn_description(fd);
    if (d == NULL) return -1;
    if (S_ISFIFO(d->file->mode)) return fail(ESPIPE);
    if (offset < 0) return fail(EINVAL);
    description there = {d->file, (size_t)offset, d->flags, 1};
    return ctn_read_at(&there, to, n);
}

ssize_t ctn_model_pwrite(int fd, const void *from, size_t n, off_t offset)
{
    description *d = ctn_description(fd);
    if (d == NULL) return -1;
    if (S_ISFIFO(d->file->mode)) return fail(ESPIPE);
    if (offset < 0) return fail(EINVAL);
    description there = {d->file, (size_t)offset, d->flags, 1};
    return ctn_write_at(fd, &there, from, n);
}

off_t ctn_model_lseek(int fd, off_t offset, int whence)
{
    description *d = ctn_description(fd);
    return d == NULL ? -1 : ctn_seek(d, offset, whence);
}

int ctn_model_ftruncate(int fd, off_t length)
{
    description *d = ctn_description(fd);
    if (d == NULL) return -1;
    if (length < 0 || !is_writable(d) || !S_ISREG(d->file->mode)) return fail(EINVAL);
    return ctn_resize_file(ctn_use_contents(d->file), (size_t)length);
}

int ctn_model_fsync(int fd) { return ctn_description(fd) == NULL ? -1 : 0; }

/* --- numbers ------------------------------------------------------------------------------------------------------- */

static int share(description *d, int fd)
{
    if (fd < 0) return -1;
    if (fd >= DESCRIPTORS_MAX) {
        syscall(SYS_close, fd);
        return fail(EMFILE);
    }
    d->uses++;
    if (descriptors[fd] != NULL) leave(descriptors[fd]);
    descriptors[fd] = d;
    return fd;
}

int ctn_model_dup(int fd)
{
    description *d = ctn_description(fd);
    return d == NULL ? -1 : share(d, (int)syscall(SYS_dup, fd));
}

int ctn_model_dup2(int fd, int to)
{
    description *d = ctn_description(fd);
    if (d == NULL) return -1;
    if (to < 0 || to >= DESCRIPTORS_MAX) return fail(EBADF);
    return fd == to ? fd : share(d, (int)syscall(SYS_dup2, fd, to));
}

int ctn_model_fcntl(int fd, int command, ...)
{
    description *d = ctn_description(fd);
    va_list more;
    va_start(more, command);
    long argument = va_arg(more, long);
    va_end(more);
    if (d == NULL) return -1;
    switch (command) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC: return share(d, (int)syscall(SYS_fcntl, fd, command, argument));
    case F_GETFD:
    case F_SETFD: return (int)syscall(SYS_fcntl, fd, command, argument);
    case F_GETFL: return d->flags & ~(O_CREAT | O_EXCL | O_TRUNC | O_NOCTTY);
    case F_SETFL: d->flags = (d->flags & ~(O_APPEND | O_NONBLOCK)) | ((int)argument & (O_APPEND | O_NONBLOCK)); return 0;
    default: return 0; /* locks: nobody else is there */
    }
}

int ctn_model_isatty(int fd)
{
    if (ctn_description(fd) != NULL) errno = ENOTTY;
    return 0;
}

int ctn_model_ioctl(int fd, unsigned long request, ...)
{
    (void)request;
    return ctn_description(fd) == NULL ? -1 : fail(ENOTTY);
}
