/* Streams on the model file system: opening, closing, positions, single characters and blocks.
 * A stream passes everything on at once and reads no more than it is asked for. To the program it is a FILE
 * like any other: a copy of one of the library's own whose descriptor is closed, so that a function without a
 * model fails on it and does no harm.
 * Limits: a program that mixes a stream with its descriptor does not see the effects of buffers. */
#include "../ctn.h"
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PUSHED_MAX = 8, LIBRARY_BYTES = sizeof(FILE) + sizeof(void *) };

struct model_stream {
    byte library[LIBRARY_BYTES]; /* first: its address is the FILE's */
    model_stream *next;
    int fd;
    int failed, ended;
    unsigned pushed_count;
    byte pushed[PUSHED_MAX];
};

/* The library's own objects: `stdin` is a variable that programs may assign to. */
extern FILE _IO_2_1_stdin_, _IO_2_1_stdout_, _IO_2_1_stderr_;

static model_stream standard[3] = {{.fd = 0}, {.fd = 1}, {.fd = 2}};
static int closed_standard[3];
static model_stream *streams;

model_stream *ctn_stream(FILE *stream)
{
    FILE *const own[] = {&_IO_2_1_stdin_, &_IO_2_1_stdout_, &_IO_2_1_stderr_};
    for (int i = 0; i < 3; i++)
        if (stream == own[i] && !closed_standard[i]) return &standard[i];
    for (model_stream *s = streams; s != NULL; s = s->next)
        if (stream == (FILE *)s) return s;
    /* NULL and closed streams are faults here. */
    errno = *(volatile byte *)stream ? EBADF : EINVAL;
    return NULL;
}

int ctn_stream_descriptor(const model_stream *stream) { return stream->fd; }

int ctn_is_output(const model_stream *stream)
{
    description *d = ctn_description(stream->fd);
    return d != NULL && S_ISFIFO(d->file->mode);
}

/* --- opening and closing ------------------------------------------------------------------------------------- */

/* The flags that a mode such as "r+" means; -1 and errno if it means nothing. */
static int flags_of(const char *mode)
{
    int flags;
    switch (*mode) {
    case 'r': flags = O_RDONLY; break;
    case 'w': flags = O_WRONLY | O_CREAT | O_TRUNC; break;
    case 'a': flags = O_WRONLY | O_CREAT | O_APPEND; break;
    default: errno = EINVAL; return -1;
    }
    for (int i = 1; i < 7 && mode[i] != '\0' && mode[i] != ','; i++) {
        if (mode[i] == '+') flags = (flags & ~O_ACCMODE) | O_RDWR;
        if (mode[i] == 'x') flags |= O_EXCL;
        if (mode[i] == 'e') flags |= O_CLOEXEC;
    }
    return flags;
}

static FILE *attach(int fd)
{
    model_stream *s = fd < 0 ? NULL : malloc(sizeof *s);
    if (s == NULL) return NULL;
    memset(s, 0, sizeof *s);
    memcpy(s->library, &_IO_2_1_stdin_, LIBRARY_BYTES);
    ((FILE *)s)->_fileno = -1;
    s->fd = fd;
    s->next = streams;
    streams = s;
    return (FILE *)s;
}

FILE *ctn_model_fopen(const char *name, const char *mode)
{
    int flags = flags_of(mode);
    if (flags < 0) return NULL;
    int fd = ctn_open_or_ask(name, flags, 0666);
    description *d = fd < 0 ? NULL : ctn_description(fd);
    if (d != NULL && (flags & O_APPEND) && (flags & O_ACCMODE) == O_WRONLY) ctn_seek(d, 0, SEEK_END);
    return attach(fd);
}

FILE *ctn_model_fdopen(int fd, const char *mode)
{
    int flags = flags_of(mode);
    description *d = flags < 0 ? NULL : ctn_description(fd);
    if (d == NULL) return NULL;
    int given = d->flags & O_ACCMODE;
    if (given != O_RDWR && given != (flags & O_ACCMODE)) {
        errno = EINVAL;
        return NULL;
    }
    if (flags & O_APPEND) d->flags |= O_APPEND;
    return attach(fd);
}

/* What pushing back put before the position is gone with it. */
static void forget_pushed(model_stream *s) { s->pushed_count = 0; }

int ctn_model_fclose(FILE *stream)
{
    model_stream *s = ctn_stream(stream);
    if (s == NULL) return EOF;
    int result = ctn_model_close(s->fd) == 0 ? 0 : EOF;
    if (s >= standard && s < standard + 3) {
        closed_standard[s - standard] = 1;
        return result;
    }
    for (model_stream **at = &streams; *at != NULL; at = &(*at)->next)
        if (*at == s) {
            *at = s->next;
            break;
        }
    free(s);
    return result;
}

FILE *ctn_model_freopen(const char *name, const char *mode, FILE *stream)
{
    model_stream *s = ctn_stream(stream);
    int flags = flags_of(mode);
    if (s == NULL || flags < 0) return NULL;
    forget_pushed(s);
    s->failed = s->ended = 0;
    if (name == NULL) {
        description *d = ctn_description(s->fd);
        if (d == NULL) return NULL;
        d->flags = flags & ~(O_CREAT | O_TRUNC);
        return stream;
    }
    ctn_model_close(s->fd);
    s->fd = ctn_open_file(name, flags, 0666);
    if (s->fd >= 0) return stream;
    int error = errno;
    ctn_model_fclose(stream);
    errno = error;
    return NULL;
}

/* Without a name from the start. */
FILE *ctn_model_tmpfile(void)
{
    model_file *file = ctn_make_file("", S_IFREG | 0600);
    if (file == NULL) return NULL;
    int fd = ctn_new_descriptor(file, O_RDWR);
    ctn_forget_name(file);
    return attach(fd);
}

/* An input stream of a driver: the file is the slots at this path. */
void *ctn_input_stream(unsigned long most, const ctn_path *at)
{
    model_file *file = ctn_make_file("", S_IFREG | 0600);
    if (file == NULL) return NULL;
    ctn_fill_file(file, most, at);
    int fd = ctn_new_descriptor(file, O_RDWR);
    ctn_forget_name(file);
    return attach(fd);
}

/* --- bytes ------------------------------------------------------------------------------------------------------ */

static int fail(model_stream *s)
{
    s->failed = 1;
    return EOF;
}

int ctn_take(model_stream *s)
{
    if (s->pushed_count > 0) return s->pushed[--s->pushed_count];
    byte c;
    description *d = ctn_description(s->fd);
    if (d == NULL) return fail(s);
    if (s->ended) return EOF;
    ssize_t n = ctn_read_at(d, &c, 1);
    if (n < 0) return fail(s);
    if (n == 0) s->ended = 1;
    return n == 0 ? EOF : c;
}

int ctn_give_back(model_stream *s, int c)
{
    if (c == EOF || s->pushed_count == PUSHED_MAX) return EOF;
    s->pushed[s->pushed_count++] = (byte)c;
    s->ended = 0;
    return (byte)c;
}

size_t ctn_put(model_stream *s, const void *from, size_t n)
{
    description *d = ctn_description(s->fd);
    if (n == 0) return 0;
    ssize_t written = d == NULL ? -1 : ctn_write_at(s->fd, d, from, n);
    if (written >= 0) return (size_t)written;
    s->failed = 1;
    return 0;
}

int ctn_model_getc(FILE *stream)
{
    model_stream *s = ctn_stream(stream);
    return s == NULL ? EOF : ctn_take(s);
}

int ctn_model_getchar(void) { return ctn_model_getc(stdin); }

int ctn_model_ungetc(int c, FILE *stream)
{
    model_stream *s = ctn_stream(stream);
    return s == NULL ? EOF : ctn_give_back(s, c);
}

int ctn_model_putc(int c, FILE *stream)
{
    model_stream *s = ctn_stream(stream);
    byte out = (byte)c;
    return s == NULL || ctn_put(s, &out, 1) != 1 ? EOF : out;
}

int ctn_model_putchar(int c) { return ctn_model_putc(c, stdout); }

size_t ctn_model_fread(void *to, size_t size, size_t count, FILE *stream)
{
    model_stream *s = ctn_stream(stream);
    size_t wanted, used = 0;
    if (s == NULL || size == 0 || count == 0) return 0;
    if (__builtin_mul_overflow(size, count, &wanted)) wanted = SIZE_MAX;
    while (used < wanted && s->pushed_count > 0) ((byte *)to)[used++] = s->pushed[--s->pushed_count];
    description *d = ctn_description(s->fd);
    if (used < wanted && !s->ended) {
        ssize_t n = d == NULL ? -1 : ctn_read_at(d, (byte *)to + used, wanted - used);
        if (n < 0)
            s->failed = 1;
        else if ((used += (size_t)n) < wanted)
            s->ended = 1;
    }
    return used / size;
}

size_t ctn_model_fwrite(const void *from, size_t size, size_t count, FILE *stream)
{
    model_stream *s = ctn_stream(stream);
    size_t n;
    if (s == NULL || size == 0 || count == 0) return 0;
    if (__builtin_mul_overflow(size, count, &n)) return 0;
    return ctn_put(s, from, n) / size;
}

/* --- state -------------------------------------------------------------------------------------------------------- */

int ctn_model_feof(FILE *stream)
{
    model_stream *s = ctn_stream(stream);
    return s != NULL && s->ended;
}

int ctn_model_ferror(FILE *stream)
{
    model_stream *s = ctn_stream(stream);
    return s == NULL || s->failed;
}

void ctn_model_clearerr(FILE *stream)
{
    model_stream *s = ctn_stream(stream);
    if (s != NULL) s->failed = s->ended = 0;
}

int ctn_model_fileno(FILE *stream)
{
    model_stream *s = ctn_stream(stream);
    return s == NULL ? -1 : s->fd;
}

int ctn_model_fflush(FILE *stream) { return stream == NULL || ctn_stream(stream) != NULL ? 0 : EOF; }

int ctn_model_setvbuf(FILE *stream, char *buffer, int mode, size_t size)
{
    (void)buffer, (void)size;
    return ctn_stream(stream) == NULL || (mode != _IOFBF && mode != _IOLBF && mode != _IONBF) ? -1 : 0;
}

void ctn_model_setbuf(FILE *stream, char *buffer) { ctn_model_setvbuf(stream, buffer, _IOFBF, BUFSIZ); }
void ctn_model_setlinebuf(FILE *stream) { ctn_model_setvbuf(stream, NULL, _IOLBF, 0); }

/* Nothing is ever pending: it was written at once. */
size_t ctn_model_fpending(FILE *stream) { return ctn_stream(stream), 0; }

/* --- positions ------------------------------------------------------------------------------------------------------ */

off_t ctn_model_ftello(FILE *stream)
{
    model_stream *s = ctn_stream(stream);
    description *d = s == NULL ? NULL : ctn_description(s->fd);
    off_t at = d == NULL ? -1 : ctn_seek(d, 0, SEEK_CUR);
    if (at < 0) return -1;
    return at < (off_t)s->pushed_count ? 0 : at - (off_t)s->pushed_count;
}

int ctn_model_fseeko(FILE *stream, off_t offset, int whence)
{
    model_stream *s = ctn_stream(stream);
    description *d = s == NULL ? NULL : ctn_description(s->fd);
    if (d == NULL) return -1;
    if (whence == SEEK_CUR) offset -= (off_t)s->pushed_count;
    if (ctn_seek(d, offset, whence) < 0) return -1;
    forget_pushed(s);
    s->ended = 0;
    return 0;
}

long ctn_model_ftell(FILE *stream) { return (long)ctn_model_ftello(stream); }
int ctn_model_fseek(FILE *stream, long offset, int whence) { return ctn_model_fseeko(stream, offset, whence); }

void ctn_model_rewind(FILE *stream)
{
    model_stream *s = ctn_stream(stream);
    if (s == NULL) return;
    ctn_model_fseeko(stream, 0, SEEK_SET);
    s->failed = 0;
}

int ctn_model_fgetpos(FILE *stream, fpos_t *at)
{
    off_t position = ctn_model_ftello(stream);
    if (position < 0) return -1;
    memset(at, 0, sizeof *at);
    at->__pos = position;
    return 0;
}

int ctn_model_fsetpos(FILE *stream, const fpos_t *at) { return ctn_model_fseeko(stream, at->__pos, SEEK_SET); }
