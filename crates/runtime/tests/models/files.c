/* Files and streams: the same sequence of random calls on a model file and on a real one must give the same
 * results, positions, states and contents. Stands in for the runtime where models ask it for something. */
#define _GNU_SOURCE
#include "../../c/ctn.h"
#include "../../c/host_calls.h"
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

FILE *ctn_model_fopen(const char *name, const char *mode);
FILE *ctn_model_fdopen(int fd, const char *mode);
FILE *ctn_model_freopen(const char *name, const char *mode, FILE *stream);
FILE *ctn_model_tmpfile(void);
int ctn_model_fclose(FILE *stream);
int ctn_model_getc(FILE *stream);
int ctn_model_ungetc(int c, FILE *stream);
int ctn_model_putc(int c, FILE *stream);
size_t ctn_model_fread(void *to, size_t size, size_t count, FILE *stream);
size_t ctn_model_fwrite(const void *from, size_t size, size_t count, FILE *stream);
int ctn_model_feof(FILE *stream);
int ctn_model_ferror(FILE *stream);
void ctn_model_clearerr(FILE *stream);
int ctn_model_fseek(FILE *stream, long offset, int whence);
long ctn_model_ftell(FILE *stream);
void ctn_model_rewind(FILE *stream);
char *ctn_model_fgets(char *to, int size, FILE *stream);
ssize_t ctn_model_getdelim(char **line, size_t *room, int delimiter, FILE *stream);
int ctn_model_fputs(const char *text, FILE *stream);
int ctn_model_fprintf(FILE *stream, const char *format, ...);
int ctn_model_open(const char *name, int flags, ...);
int ctn_model_close(int fd);
ssize_t ctn_model_read(int fd, void *to, size_t n);
ssize_t ctn_model_write(int fd, const void *from, size_t n);
off_t ctn_model_lseek(int fd, off_t offset, int whence);
int ctn_model_dup(int fd);
int ctn_model_stat(const char *name, struct stat *to);
int ctn_model_access(const char *name, int mode);
int ctn_model_unlink(const char *name);
int ctn_model_rename(const char *from, const char *to);
int ctn_model_mkstemp(char *template);
int ctn_model_fileno(FILE *stream);

static unsigned long shown;

const unsigned char *ctn_real_file(const char *path, unsigned long *length)
{
    static const char text[] = "contents of the real file\n";
    *length = strcmp(path, "/real/path") == 0 ? sizeof text - 1 : 0;
    return (const unsigned char *)text;
}

void ctn_show_output(int fd, const void *from, unsigned long n)
{
    (void)fd, (void)from;
    shown += n;
}

int ctn_show_format(int fd, const char *format, va_list more)
{
    (void)fd;
    return vsnprintf(NULL, 0, format, more);
}

unsigned long ctn_plain_length(const char *text) { return strlen(text); }

/* --- the same calls on both ---------------------------------------------------------------------------------- */

static void any_bytes(char *to, unsigned n)
{
    for (unsigned i = 0; i < n; i++) to[i] = "ab \n\0\xff"[below(6)];
}

static void one_call(FILE *model, FILE *real, const char *mode)
{
    int writes = strchr(mode, '+') != NULL;
    char a[64] = {0}, b[64] = {0}, *line = NULL, *other = NULL;
    size_t room = 0, other_room = 0;
    unsigned size, n;
    long at;
    switch (below(writes ? 11 : 8)) {
    case 0: SAME(ctn_model_getc(model), getc(real), "getc"); break;
    case 1:
        n = 'a' + below(3);
        SAME(ctn_model_ungetc((int)n, model), ungetc((int)n, real), "ungetc");
        SAME(ctn_model_getc(model), getc(real), "getc after ungetc");
        break;
    case 2:
        size = below(4), n = below(9);
        SAME(ctn_model_fread(a, size, n, model), fread(b, size, n, real), "fread");
        SAME(memcmp(a, b, sizeof a), 0, "what fread read");
        break;
    case 3:
        n = 1 + below(12);
        SAME(ctn_model_fgets(a, (int)n, model) != NULL, fgets(b, (int)n, real) != NULL, "fgets");
        SAME(memcmp(a, b, sizeof a), 0, "what fgets read");
        break;
    case 4:
        n = below(2) ? '\n' : '\0';
        at = getdelim(&other, &other_room, (int)n, real);
        SAME(ctn_model_getdelim(&line, &room, (int)n, model), at, "getdelim");
        SAME(at > 0 && line != NULL ? memcmp(line, other, (size_t)at + 1) : 0, 0, "what getdelim read");
        free(line);
        free(other);
        break;
    case 5:
        at = (long)below(30) - 5, n = below(3);
        SAME(ctn_model_fseek(model, at, (int)n), fseek(real, at, (int)n), "fseek");
        break;
    case 6:
        ctn_model_rewind(model);
        rewind(real);
        break;
    case 7:
        ctn_model_clearerr(model);
        clearerr(real);
        break;
    case 8:
        SAME(ctn_model_putc('x', model), putc('x', real), "putc");
        break;
    case 9:
        size = 1 + below(3), n = below(5);
        any_bytes(a, size * n);
        SAME(ctn_model_fwrite(a, size, n, model), fwrite(a, size, n, real), "fwrite");
        break;
    case 10:
        SAME(ctn_model_fprintf(model, "%d:%s", 42, "t"), fprintf(real, "%d:%s", 42, "t"), "fprintf");
        SAME(ctn_model_fputs("line\n", model) >= 0, fputs("line\n", real) >= 0, "fputs");
        break;
    }
    /* The standard wants a seek between reading and writing. */
    if (writes) {
        at = ftell(real);
        SAME(ctn_model_fseek(model, at, SEEK_SET), fseek(real, at, SEEK_SET), "seek to where it is");
    }
    SAME(!ctn_model_feof(model), !feof(real), "feof");
    SAME(!ctn_model_ferror(model), !ferror(real), "ferror");
    SAME(ctn_model_ftell(model), ftell(real), mode);
}

static void check_streams(const char *directory)
{
    static const char *const modes[] = {"r", "r+", "w", "w+", "a", "a+", "rb", "wb+"};
    char name[256], bytes[32];
    snprintf(name, sizeof name, "%s/model-files-%d", directory, (int)getpid());
    for (unsigned round = 0; round < 400; round++) {
        const char *mode = modes[round % 8];
        FILE *first = ctn_model_fopen("contents", "w"), *other = fopen(name, "w");
        unsigned n = below(sizeof bytes);
        any_bytes(bytes, n);
        SAME(ctn_model_fwrite(bytes, 1, n, first), fwrite(bytes, 1, n, other), "contents");
        SAME(ctn_model_fclose(first), fclose(other), "fclose");
        FILE *model = ctn_model_fopen("contents", mode), *real = fopen(name, mode);
        for (unsigned call = 0; call < 12; call++) one_call(model, real, mode);
        SAME(ctn_model_fclose(model), fclose(real), "fclose");
        char a[1024], b[1024];
        model = ctn_model_fopen("contents", "r"), real = fopen(name, "r");
        size_t length = ctn_model_fread(a, 1, sizeof a, model);
        SAME(length, fread(b, 1, sizeof b, real), mode);
        SAME(memcmp(a, b, length), 0, mode);
        SAME(ctn_model_fclose(model), fclose(real), "fclose");
        struct stat status;
        CHECK(ctn_model_stat("./contents", &status) == 0 && (size_t)status.st_size == length, "st_size");
    }
    unlink(name);
    CHECK(ctn_model_unlink("contents") == 0 && ctn_model_fopen("contents", "r") == NULL && errno == ENOENT, "unlink");
}

static void check_names(void)
{
    errno = 0;
    CHECK(ctn_model_fopen("nothing", "r") == NULL && errno == ENOENT, "a file that does not exist");
    CHECK(ctn_model_fopen("x", "q") == NULL && errno == EINVAL, "a mode that means nothing");
    CHECK(ctn_model_open("no/such", O_CREAT | O_WRONLY, 0600) == -1 && errno == ENOENT, "no such directory");
    CHECK(ctn_model_open(".", O_WRONLY) == -1 && errno == EISDIR, "a directory");
    ctn_readable_file("given", "/real/path");
    char text[64] = {0};
    int fd = ctn_model_open("given", O_RDONLY);
    CHECK(fd > 2 && ctn_model_read(fd, text, 8) == 8 && strcmp(text, "contents") == 0, "a real file");
    int second = ctn_model_dup(fd);
    CHECK(second > fd && ctn_model_read(second, text, 3) == 3 && memcmp(text, " of", 3) == 0, "dup shares");
    CHECK(ctn_model_write(fd, "x", 1) == -1 && errno == EBADF, "not for writing");
    CHECK(ctn_model_close(fd) == 0 && ctn_model_close(fd) == -1 && errno == EBADF, "closed twice");
    CHECK(ctn_model_lseek(second, -1, SEEK_SET) == -1 && errno == EINVAL, "before the beginning");
    CHECK(ctn_model_close(second) == 0 && ctn_model_open("given", O_RDWR) == -1 && errno == EACCES, "read-only");
    fd = ctn_model_open("new", O_CREAT | O_EXCL | O_RDWR, 0600);
    CHECK(ctn_model_lseek(fd, 5, SEEK_SET) == 5 && ctn_model_write(fd, "end", 3) == 3, "a hole");
    CHECK(ctn_model_lseek(fd, 0, SEEK_SET) == 0 && ctn_model_read(fd, text, 20) == 8, "its length");
    CHECK(memcmp(text, "\0\0\0\0\0end", 8) == 0, "is zeros");
    CHECK(ctn_model_open("new", O_CREAT | O_EXCL, 0600) == -1 && errno == EEXIST, "exists");
    CHECK(ctn_model_rename("new", "newer") == 0 && ctn_model_access("new", F_OK) == -1, "renamed");
    CHECK(ctn_model_access("newer", R_OK | W_OK) == 0 && ctn_model_access("newer", X_OK) == -1, "rights");
    CHECK(ctn_model_unlink("newer") == 0 && ctn_model_lseek(fd, 0, SEEK_END) == 8, "open, without a name");
    CHECK(ctn_model_close(fd) == 0, "close");
    char temporary[] = "/tmp/abXXXXXX", wrong[] = "abc";
    fd = ctn_model_mkstemp(temporary);
    CHECK(fd > 2 && strcmp(temporary, "/tmp/abXXXXXX") != 0 && ctn_model_access(temporary, F_OK) == 0, temporary);
    CHECK(ctn_model_mkstemp(wrong) == -1 && errno == EINVAL && ctn_model_close(fd) == 0, wrong);
    FILE *nameless = ctn_model_tmpfile();
    CHECK(nameless && ctn_model_fputs("t", nameless) >= 0 && ctn_model_fclose(nameless) == 0, "tmpfile");
    unsigned long before = shown;
    CHECK(ctn_model_fputs("shown", stdout) >= 0 && shown == before + 5, "standard output");
}

void check_files(const char *directory)
{
    check_streams(directory);
    check_names();
}
