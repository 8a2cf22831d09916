/* Files, standard input and streams of a replay: what the models make of slots in exploration becomes real
 * files here, in the working directory, which is the replay's own. The program then uses the C library. */
#include "ctn.h"
#include "replay_files.h"

#include <errno.h>
#include <fcntl.h>
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

void ctn_standard_input_size(unsigned long most) { (void)most; }

void ctn_symbolic_file(const char *name, unsigned long most)
{
    (void)most;
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

void *ctn_input_stream(unsigned long most, const ctn_path *at)
{
    (void)most;
    int fd = memory_file(at);
    return fd < 0 ? NULL : fdopen(fd, "r+");
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
