/* Models of reading standard input: how many bytes there are is one slot, stdin.length, none by default; the
 * bytes are another, stdin[]. Other streams and descriptors are the library's own.
 * Limits: INPUT_MAX bytes; the scanf family is not modelled and finds standard input empty. */
#include "../ctn.h"
#include "models.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

enum { INPUT_MAX = 64, FIRST_LINE_ROOM = 120 };

/* The library's own functions, by names that are not redirected. */
extern int _IO_getc(FILE *stream);
extern int _IO_ungetc(int c, FILE *stream);
extern int _IO_feof(FILE *stream);
extern char *_IO_fgets(char *to, int size, FILE *stream);
extern size_t _IO_fread(void *to, size_t size, size_t count, FILE *stream);
extern ssize_t __getdelim(char **line, size_t *room, int delimiter, FILE *stream);
extern ssize_t __read(int fd, void *to, size_t n);

static byte bytes[INPUT_MAX];
static unsigned length, position;
static int asked, ended, pushed_back = EOF;

static void ask(void)
{
    asked = 1;
    length = ctn_choice(INPUT_MAX + 1, CTN_ROOT("stdin.length"));
    ctn_array(bytes, 1, INPUT_MAX, CTN_ROOT("stdin[]"));
}

static int next(void)
{
    if (pushed_back != EOF) {
        int c = pushed_back;
        pushed_back = EOF;
        return c;
    }
    if (!asked) ask();
    if (position == length) {
        ended = 1;
        return EOF;
    }
    return bytes[position++];
}

int ctn_model_getchar(void) { return next(); }
int ctn_model_getc(FILE *stream) { return stream == stdin ? next() : _IO_getc(stream); }

int ctn_model_ungetc(int c, FILE *stream)
{
    if (stream != stdin) return _IO_ungetc(c, stream);
    if (c == EOF || pushed_back != EOF) return EOF;
    pushed_back = (byte)c;
    ended = 0;
    return pushed_back;
}

int ctn_model_feof(FILE *stream) { return stream == stdin ? ended : _IO_feof(stream); }

char *ctn_model_fgets(char *to, int size, FILE *stream)
{
    if (stream != stdin) return _IO_fgets(to, size, stream);
    int used = 0;
    while (used < size - 1) {
        int c = next();
        if (c == EOF) break;
        to[used++] = (char)c;
        if (c == '\n') break;
    }
    if (used == 0 && size != 1) return NULL;
    to[used] = '\0';
    return to;
}

char *ctn_model_gets(char *to)
{
    int used = 0, c;
    while ((c = next()) != EOF && c != '\n') to[used++] = (char)c;
    if (used == 0 && c == EOF) return NULL;
    to[used] = '\0';
    return to;
}

size_t ctn_model_fread(void *to, size_t size, size_t count, FILE *stream)
{
    if (stream != stdin) return _IO_fread(to, size, count, stream);
    if (size == 0) return 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < size; k++) {
            int c = next();
            if (c == EOF) return i;
            ((byte *)to)[i * size + k] = (byte)c;
        }
    return count;
}

ssize_t ctn_model_read(int fd, void *to, size_t n)
{
    if (fd != 0) return __read(fd, to, n);
    size_t used = 0;
    while (used < n) {
        int c = next();
        if (c == EOF) break;
        ((byte *)to)[used++] = (byte)c;
    }
    return (ssize_t)used;
}

ssize_t ctn_model_getdelim(char **line, size_t *room, int delimiter, FILE *stream)
{
    if (stream != stdin) return __getdelim(line, room, delimiter, stream);
    if (line == NULL || room == NULL) {
        errno = EINVAL;
        return -1;
    }
    if (*line == NULL || *room == 0) {
        char *fresh = realloc(*line, FIRST_LINE_ROOM);
        if (fresh == NULL) return -1;
        *line = fresh;
        *room = FIRST_LINE_ROOM;
    }
    size_t used = 0;
    for (int c = 0; c != delimiter;) {
        c = next();
        if (c == EOF) break;
        if (used + 1 >= *room) {
            char *larger = realloc(*line, *room * 2);
            if (larger == NULL) return -1;
            *line = larger;
            *room *= 2;
        }
        (*line)[used++] = (char)c;
    }
    if (used == 0) return -1;
    (*line)[used] = '\0';
    return (ssize_t)used;
}

ssize_t ctn_model_getline(char **line, size_t *room, FILE *stream)
{
    return ctn_model_getdelim(line, room, '\n', stream);
}
