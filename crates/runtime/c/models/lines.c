/* Models of the stdio.h functions that read and write lines and strings. */
#include "../host_calls.h"
#include "files.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_LINE_ROOM = 120 };

char *ctn_model_fgets(char *to, int size, FILE *stream)
{
    model_stream *s = ctn_stream(stream);
    if (s == NULL || size <= 0) return NULL;
    int used = 0;
    while (used < size - 1) {
        int c = ctn_take(s);
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
    model_stream *s = ctn_stream(stdin);
    int used = 0, c = EOF;
    while (s != NULL && (c = ctn_take(s)) != EOF && c != '\n') to[used++] = (char)c;
    if (used == 0 && c == EOF) return NULL;
    to[used] = '\0';
    return to;
}

ssize_t ctn_model_getdelim(char **line, size_t *room, int delimiter, FILE *stream)
{
    if (line == NULL || room == NULL) {
        errno = EINVAL;
        return -1;
    }
    model_stream *s = ctn_stream(stream);
    if (s == NULL) return -1;
    if (*line == NULL || *room == 0) {
        char *fresh = realloc(*line, FIRST_LINE_ROOM);
        if (fresh == NULL) return -1;
        *line = fresh;
        *room = FIRST_LINE_ROOM;
    }
    size_t used = 0;
    for (int c = 0; c != delimiter || used == 0;) {
        c = ctn_take(s);
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

/* The length decides nothing where nobody reads the output again. */
static size_t length_for(model_stream *s, const char *text)
{
    return ctn_is_output(s) ? ctn_plain_length(text) : ctn_model_strlen(text);
}

int ctn_model_fputs(const char *text, FILE *stream)
{
    model_stream *s = ctn_stream(stream);
    if (s == NULL) return EOF;
    size_t n = length_for(s, text);
    return ctn_put(s, text, n) == n ? 1 : EOF;
}

int ctn_model_puts(const char *text)
{
    model_stream *s = ctn_stream(stdout);
    if (s == NULL) return EOF;
    size_t n = length_for(s, text);
    if (ctn_put(s, text, n) != n || ctn_put(s, "\n", 1) != 1) return EOF;
    return n < INT_MAX ? (int)n + 1 : INT_MAX;
}

int ctn_model_putw(int word, FILE *stream)
{
    model_stream *s = ctn_stream(stream);
    return s == NULL || ctn_put(s, &word, sizeof word) != sizeof word ? EOF : 0;
}

int ctn_model_getw(FILE *stream)
{
    int word;
    extern size_t ctn_model_fread(void *, size_t, size_t, FILE *);
    return ctn_model_fread(&word, sizeof word, 1, stream) == 1 ? word : EOF;
}
