/* Models of stat and its like, and of what changes names: unlink, rename, mkstemp. Times are zero, everything
 * belongs to the user who asks.
 * Limits: directories are neither made nor listed; links do not exist. */
#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <utime.h>

enum { DEVICE = 1, BLOCK = 4096, SECTOR = 512 };

static int fail(int error)
{
    errno = error;
    return -1;
}

static int describe(model_file *file, struct stat *to)
{
    ctn_use_contents(file);
    memset(to, 0, sizeof *to);
    to->st_dev = DEVICE;
    to->st_ino = file->number;
    to->st_nlink = file->name != NULL || !S_ISREG(file->mode);
    to->st_mode = file->mode;
    to->st_uid = getuid();
    to->st_gid = getgid();
    to->st_size = S_ISDIR(file->mode) ? BLOCK : (off_t)file->length;
    to->st_blksize = BLOCK;
    to->st_blocks = (to->st_size + SECTOR - 1) / SECTOR;
    return 0;
}

int ctn_model_fstat(int fd, struct stat *to)
{
    description *d = ctn_description(fd);
    return d == NULL ? -1 : describe(d->file, to);
}

int ctn_model_stat(const char *name, struct stat *to)
{
    model_file *file = ctn_find_file(name);
    return file == NULL ? -1 : describe(file, to);
}

int ctn_model_fstatat(int directory, const char *name, struct stat *to, int flags)
{
    if (*name == '\0' && (flags & AT_EMPTY_PATH)) return ctn_model_fstat(directory, to);
    if (directory != AT_FDCWD && *name != '/' && ctn_description(directory) == NULL) return -1;
    return ctn_model_stat(name, to);
}

int ctn_model_access(const char *name, int mode)
{
    model_file *file = ctn_find_file(name);
    if (file == NULL) return -1;
    if ((mode & W_OK) && !(file->mode & 0200)) return fail(EACCES);
    if ((mode & X_OK) && !(file->mode & 0111)) return fail(EACCES);
    return 0;
}

int ctn_model_unlink(const char *name)
{
    model_file *file = ctn_find_file(name);
    if (file == NULL) return -1;
    if (S_ISDIR(file->mode)) return fail(EISDIR);
    if (!S_ISREG(file->mode)) return fail(EACCES);
    ctn_forget_name(file);
    return 0;
}

int ctn_model_remove(const char *name)
{
    model_file *file = ctn_find_file(name);
    if (file != NULL && S_ISDIR(file->mode)) return fail(EBUSY);
    return ctn_model_unlink(name);
}

int ctn_model_rename(const char *from, const char *to)
{
    model_file *file = ctn_find_file(from);
    if (file == NULL) return -1;
    model_file *there = ctn_find_file(to);
    if (file == there) return 0;
    if (S_ISDIR(file->mode) || (there != NULL && !S_ISREG(there->mode))) return fail(EBUSY);
    if (there == NULL && ctn_model_strchr(to, '/') != NULL) return fail(ENOENT);
    char *name = ctn_model_strdup(to);
    if (name == NULL) return fail(ENOSPC);
    if (there != NULL) ctn_forget_name(there);
    file->name = name;
    return 0;
}

/* The six X at the end become a number. */
int ctn_model_mkstemp(char *template)
{
    static unsigned last;
    size_t length = ctn_model_strlen(template);
    if (length < 6 || ctn_model_strcmp(template + length - 6, "XXXXXX") != 0) return fail(EINVAL);
    unsigned number = ++last;
    for (size_t i = 1; i <= 6; i++, number /= 10) template[length - i] = (char)('0' + number % 10);
    /* Temporary files may lie anywhere. */
    model_file *file = ctn_make_file(template, S_IFREG | 0600);
    return file == NULL ? -1 : ctn_new_descriptor(file, O_RDWR);
}

int ctn_model_truncate(const char *name, off_t length)
{
    model_file *file = ctn_find_file(name);
    if (file == NULL) return -1;
    if (length < 0 || !S_ISREG(file->mode)) return fail(EINVAL);
    if (!(file->mode & 0200)) return fail(EACCES);
    return ctn_resize_file(ctn_use_contents(file), (size_t)length);
}

int ctn_model_chmod(const char *name, mode_t mode)
{
    model_file *file = ctn_find_file(name);
    if (file == NULL) return -1;
    file->mode = (file->mode & S_IFMT) | (mode & 07777);
    return 0;
}

int ctn_model_fchmod(int fd, mode_t mode)
{
    description *d = ctn_description(fd);
    if (d == NULL) return -1;
    d->file->mode = (d->file->mode & S_IFMT) | (mode & 07777);
    return 0;
}

int ctn_model_chown(const char *name, uid_t owner, gid_t group)
{
    (void)owner, (void)group;
    return ctn_find_file(name) == NULL ? -1 : 0;
}

int ctn_model_fchown(int fd, uid_t owner, gid_t group)
{
    (void)owner, (void)group;
    return ctn_description(fd) == NULL ? -1 : 0;
}

int ctn_model_utime(const char *name, const struct utimbuf *times)
{
    (void)times;
    return ctn_find_file(name) == NULL ? -1 : 0;
}

mode_t ctn_model_umask(mode_t mask)
{
    static mode_t last = 022;
    mode_t before = last;
    last = mask & 0777;
    return before;
}

/* There are no links to read. */
ssize_t ctn_model_readlink(const char *name, char *to, size_t n)
{
    (void)to, (void)n;
    return ctn_find_file(name) == NULL ? -1 : fail(EINVAL);
}
