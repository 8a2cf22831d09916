/* Files, standard input and streams of a replay: what the models make of slots in exploration becomes real
 * files here, in the working directory, which is the replay's own. The program then uses the C library. */
#include "ctn.h"
#include "replay_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static void say(const char *what, const char *name)
{
    fprintf(stderr, "concertino: cannot make %s %s: %s\n", what, name, strerror(errno));
}

static void write_all(int fd, const char *bytes, size_t n)
{
    for (ssize_t written; n > 0; bytes += written, n -= (size_t)written)
        if ((written = write(fd, bytes, n)) <= 0) return;
}

/* The contents that the slots of a file say. */
static void write_contents(int fd, const ctn_path *at)
{
    unsigned length;
    ctn_value(&length, sizeof length, CTN_NAME(at, ".length"));
    char *bytes = malloc(length + 1ul);
    if (bytes == NULL) return;
    ctn_value(bytes, length, CTN_NAME(at, "[]"));
    write_all(fd, bytes, length);
    free(bytes);
}

static int memory_file(const ctn_path *at)
{
    int fd = memfd_create("input", MFD_CLOEXEC);
    if (fd < 0) {
        say("an input", "in memory");
        return -1;
    }
    write_contents(fd, at);
    lseek(fd, 0, SEEK_SET);
    return fd;
}

/* The file for a name, with the directories that lead to it. Files elsewhere on the disk are left alone. */
static int make(const char *name)
{
    if (*name == '/') {
        errno = EPERM;
        say("the file", name);
        return -1;
    }
    char *path = strdup(name);
    for (char *slash = path; (slash = strchr(slash + 1, '/')) != NULL; *slash = '/') {
        *slash = '\0';
        mkdir(path, 0755);
    }
    free(path);
    int fd = open(name, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
    if (fd < 0) say("the file", name);
    return fd;
}

void replay_standard_input(void)
{
    int fd = memory_file(CTN_ROOT("stdin"));
    if (fd > 0) {
        dup2(fd, 0);
        close(fd);
    }
}

/* The driver says which files there are. */
static int are_declared;

void ctn_standard_input_size(unsigned long most)
{
    (void)most;
    are_declared = 1;
}

void ctn_symbolic_file(const char *name, unsigned long most)
{
    (void)most;
    are_declared = 1;
    ctn_path open = {0, "file(\"", 0}, named = {&open, name, 0};
    int fd = make(name);
    if (fd < 0) return;
    write_contents(fd, CTN_NAME(&named, "\")"));
    close(fd);
}

void ctn_readable_file(const char *name, const char *source)
{
    if (strcmp(name, source) == 0) return;
    char buffer[65536];
    int from = open(source, O_RDONLY | O_CLOEXEC), to = from < 0 ? -1 : make(name);
    for (ssize_t n; to >= 0 && (n = read(from, buffer, sizeof buffer)) > 0;) write_all(to, buffer, (size_t)n);
    if (to >= 0) {
        fchmod(to, 0444);
        close(to);
    }
    if (from >= 0) close(from);
}

/* What exploration knows of the disk: the working directory, and a few devices. */
static int is_elsewhere(const char *name)
{
    static const char *const known[] = {"/", "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr"};
    for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(name, known[i]) == 0) return 0;
    return *name == '/';
}

/* The file that a unit asks for and does not have, as models/descriptors.c gives it; -1 if the input has none. */
static int asked_for(const char *name, int has_contents)
{
    static long count;
    if (errno != ENOENT || *name == '\0' || are_declared || count == 8) return -1;
    if (ctn_choice(2, CTN_ROOT("open()")) == 0) {
        errno = ENOENT;
        return -1;
    }
    const ctn_path *at = CTN_INDEX(CTN_ROOT("file"), count++);
    return has_contents ? memory_file(at) : memfd_create("output", MFD_CLOEXEC);
}

int ctn_model_open(const char *name, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    va_end(more);
    errno = ENOENT;
    int fd = !are_declared && is_elsewhere(name) ? -1 : open(name, flags, mode);
    return fd < 0 ? asked_for(name, !(flags & O_CREAT)) : fd;
}

FILE *ctn_model_fopen(const char *name, const char *mode)
{
    errno = ENOENT;
    FILE *stream = !are_declared && is_elsewhere(name) ? NULL : fopen(name, mode);
    if (stream != NULL) return stream;
    int fd = asked_for(name, *mode == 'r');
    return fd < 0 ? NULL : fdopen(fd, mode);
}

void *ctn_input_stream(unsigned long most, const ctn_path *at)
{
    (void)most;
    int fd = memory_file(at);
    return fd < 0 ? NULL : fdopen(fd, "r+");
}

/* A socket is a file with what it receives; what is sent is gone. */
static unsigned char is_socket[1024];

int ctn_input_descriptor(const char *slot, size_t most)
{
    (void)most;
    int fd = memory_file(CTN_ROOT(slot));
    if (fd >= 0 && fd < (int)sizeof is_socket) is_socket[fd] = 1;
    return fd;
}

ssize_t ctn_model_write(int fd, const void *from, size_t n)
{
    return fd >= 0 && fd < (int)sizeof is_socket && is_socket[fd] ? (ssize_t)n : write(fd, from, n);
}

int ctn_model_close(int fd)
{
    if (fd >= 0 && fd < (int)sizeof is_socket) is_socket[fd] = 0;
    return close(fd);
}

/* AddressSanitizer looks at the string that fgets gives back, and not at what was read behind a NUL in it. */
char *ctn_model_fgets(char *to, int size, FILE *stream)
{
    int used = 0, c = 0;
    while (used < size - 1 && c != '\n' && (c = getc(stream)) != EOF) to[used++] = (char)c;
    if (size < 1 || (used == 0 && size > 1)) return NULL;
    to[used] = '\0';
    return to;
}

/* The handlers are the library's, and it calls them. */
void ctn_leave_main(int status) { exit(status); }
