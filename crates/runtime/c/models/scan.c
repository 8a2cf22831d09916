/* Models of the scanf family: what is read is matched here character by character, numbers are converted by the
 * models of strtol and strtod.
 * Limits: the C locale; numbers of at most NUMBER_MAX characters; %1$d and wide characters are not known. */
#include "files.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

long double strtold(const char *s, char **end);

enum { NUMBER_MAX = 400, STRING_FIRST = 100 };
enum { SIZE_CHAR, SIZE_SHORT, SIZE_INT, SIZE_LONG, SIZE_LONG_DOUBLE };

typedef struct {
    const char *text;      /* what is read, if it is a string */
    model_stream *stream;  /* ... or a stream */
    long taken;
} source;

static int take(source *from)
{
    int c = EOF;
    if (from->text == NULL)
        c = ctn_take(from->stream);
    else if (*from->text != '\0')
        c = (byte)*from->text++;
    from->taken += c != EOF;
    return c;
}

static void give_back(source *from, int c)
{
    if (c == EOF) return;
    from->taken--;
    if (from->text != NULL)
        from->text--;
    else
        ctn_give_back(from->stream, c);
}

/* The first character that is no white space, or EOF. */
static int take_visible(source *from)
{
    int c;
    do c = take(from);
    while (c != EOF && ctn_is_space(c));
    return c;
}

typedef struct {
    int suppressed, allocated;
    int width;  /* 0: none */
    int size;
    char conversion;
} directive;

static void store_integer(const directive *d, void *to, long value)
{
    switch (d->size) {
    case SIZE_CHAR: *(char *)to = (char)value; break;
    case SIZE_SHORT: *(short *)to = (short)value; break;
    case SIZE_INT: *(int *)to = (int)value; break;
    default: *(long *)to = value; break;
    }
}

/* --- numbers ------------------------------------------------------------------------------------------------------ */

typedef struct { char text[NUMBER_MAX + 1]; unsigned used; int left; } number;

static int room(const number *n) { return n->left != 0 && n->used < NUMBER_MAX; }

/* Keeps a character and takes the next one, if the width allows. */
static int keep(source *from, number *n, int c)
{
    n->text[n->used++] = (char)c;
    if (n->left > 0) n->left--;
    return room(n) ? take(from) : EOF;
}

static int digit_below(int c, int base)
{
    int lower = ctn_lower(c);
    int value = ctn_between(c, '0', '9') ? c - '0' : ctn_between(lower, 'a', 'z') ? lower - 'a' + 10 : 99;
    return value < base;
}

/* 1 if there is a number. A prefix 0x is taken even when no digit follows. */
static int read_integer(source *from, const directive *d, int base, long *value)
{
    number n = {.used = 0, .left = d->width ? d->width : -1};
    int c = take(from);
    if (c == '+' || c == '-') c = keep(from, &n, c);
    if (c == '0' && (base == 0 || base == 16)) {
        c = keep(from, &n, c);
        if (ctn_lower(c) == 'x' && c != EOF) {
            base = 16;
            if (n.left > 0) n.left--;
            c = room(&n) ? take(from) : EOF;
        } else if (base == 0) {
            base = 8;
        }
    } else if (base == 0) {
        base = 10;
    }
    while (c != EOF && digit_below(c, base)) c = keep(from, &n, c);
    give_back(from, c);
    n.text[n.used] = '\0';
    if (n.used == 0 || (n.used == 1 && (n.text[0] == '+' || n.text[0] == '-'))) return 0;
    int signs = d->conversion == 'd' || d->conversion == 'i';
    *value = signs ? ctn_model_strtol(n.text, NULL, base) : (long)ctn_model_strtoul(n.text, NULL, base);
    return 1;
}

/* Takes what is left of a word such as "nan", whose first letter was seen. 0: it is another word. */
static int keep_word(source *from, number *n, int *c, const char *word)
{
    for (; *word != '\0'; word++) {
        if (*c == EOF || ctn_lower(*c) != *word) return 0;
        *c = keep(from, n, *c);
    }
    return 1;
}

static int read_real_text(source *from, number *n)
{
    int c = take(from), digits = 0, point = 0, hexadecimal = 0;
    if (c == '+' || c == '-') c = keep(from, n, c);
    if (c != EOF && ctn_lower(c) == 'n') {
        int whole = keep_word(from, n, &c, "nan");
        give_back(from, c);
        return whole;
    }
    if (c != EOF && ctn_lower(c) == 'i') {
        int whole = keep_word(from, n, &c, "inf");
        if (whole && c != EOF && ctn_lower(c) == 'i') whole = keep_word(from, n, &c, "inity");
        give_back(from, c);
        return whole;
    }
    if (c == '0') {
        digits = 1;
        c = keep(from, n, c);
        if (c != EOF && ctn_lower(c) == 'x') {
            hexadecimal = 1;
            digits = 0;
            c = keep(from, n, c);
        }
    }
    for (; c != EOF; c = keep(from, n, c)) {
        if (digit_below(c, hexadecimal ? 16 : 10))
            digits = 1;
        else if (c == '.' && !point)
            point = 1;
        else
            break;
    }
    if (digits && c != EOF && ctn_lower(c) == (hexadecimal ? 'p' : 'e')) {
        c = keep(from, n, c);
        if (c == '+' || c == '-') c = keep(from, n, c);
        while (c != EOF && ctn_between(c, '0', '9')) c = keep(from, n, c);
    }
    give_back(from, c);
    return digits;
}

static int read_real(source *from, const directive *d, void *to)
{
    number n = {.used = 0, .left = d->width ? d->width : -1};
    if (!read_real_text(from, &n)) return 0;
    n.text[n.used] = '\0';
    if (to == NULL) return 1;
    if (d->size == SIZE_LONG_DOUBLE)
        *(long double *)to = strtold(n.text, NULL);
    else if (d->size == SIZE_LONG)
        *(double *)to = ctn_model_strtod(n.text, NULL);
    else
        *(float *)to = ctn_model_strtof(n.text, NULL);
    return 1;
}

/* --- characters ------------------------------------------------------------------------------------------------------ */

typedef struct { char *to; size_t used, room; int grows; } receiver;

static int receive(receiver *r, char c)
{
    if (r->to == NULL) return 1;
    if (r->grows && r->used == r->room) {
        char *larger = realloc(r->to, r->room * 2);
        if (larger == NULL) return 0;
        r->to = larger;
        r->room *= 2;
    }
    r->to[r->used++] = c;
    return 1;
}

/* Where the scan set of a format begins: behind `[` or `[^`. */
static int in_set(const char *set, const char *end, int c)
{
    for (const char *at = set; at < end; at++) {
        if (at + 2 < end && at[1] == '-' && (byte)at[0] <= (byte)at[2]) {
            if (ctn_between(c, (byte)at[0], (byte)at[2])) return 1;
            at += 2;
        } else if (c == (byte)*at) {
            return 1;
        }
    }
    return 0;
}

/* At most the width of characters that fit; the number of them, -1 when there is no memory. */
static long read_characters(source *from, const directive *d, receiver *r, const char *set, const char *set_end)
{
    long count = 0, most = d->width ? d->width : d->conversion == 'c' ? 1 : -1;
    int negated = d->conversion == '[' && *set == '^';
    while (count != most) {
        int c = take(from);
        int fits = c != EOF && (d->conversion == 'c'   ? 1
                                : d->conversion == 's' ? !ctn_is_space(c)
                                                       : in_set(set + negated, set_end, c) != negated);
        if (!fits) {
            give_back(from, c);
            break;
        }
        if (!receive(r, (char)c)) return -1;
        count++;
    }
    if (count > 0 && d->conversion != 'c' && !receive(r, '\0')) return -1;
    return count;
}

static int read_text(source *from, const directive *d, void *to, const char *set, const char *set_end)
{
    receiver r = {to, 0, STRING_FIRST, 0};
    if (d->allocated && to != NULL) {
        r.grows = 1;
        r.to = malloc(STRING_FIRST);
        if (r.to == NULL) return 0;
    }
    long count = read_characters(from, d, &r, set, set_end);
    if (r.grows) {
        *(char **)to = count > 0 ? r.to : NULL;
        if (count <= 0) free(r.to);
    }
    return count > 0;
}

/* --- the format ---------------------------------------------------------------------------------------------------------- */

static const char *read_directive(const char *at, directive *d)
{
    *d = (directive){.size = SIZE_INT};
    for (; *at == '*' || *at == 'm' || *at == '\''; at++) {
        if (*at == '*') d->suppressed = 1;
        if (*at == 'm') d->allocated = 1;
    }
    for (; ctn_between(*at, '0', '9'); at++) d->width = d->width < 100000 ? d->width * 10 + (*at - '0') : d->width;
    if (*at == 'm') {
        d->allocated = 1;
        at++;
    }
    switch (*at) {
    case 'h':
        d->size = at[1] == 'h' ? SIZE_CHAR : SIZE_SHORT;
        at += at[1] == 'h' ? 2 : 1;
        break;
    case 'l':
        d->size = SIZE_LONG;
        at += at[1] == 'l' ? 2 : 1;
        break;
    case 'j': case 'z': case 't': case 'q':
        d->size = SIZE_LONG;
        at++;
        break;
    case 'L':
        d->size = SIZE_LONG_DOUBLE;
        at++;
        break;
    }
    d->conversion = *at;
    return at;
}

/* The bracket that ends a scan set; one right at its beginning belongs to it. */
static const char *end_of_set(const char *set)
{
    const char *at = *set == '^' ? set + 1 : set;
    if (*at == ']') at++;
    while (*at != '\0' && *at != ']') at++;
    return at;
}

static int scan_format(source *from, const char *format, va_list arguments)
{
    int done = 0, c;
    va_list more;
    va_copy(more, arguments);
    for (const char *at = format; *at != '\0'; at++) {
        if (ctn_is_space((byte)*at)) {
            give_back(from, take_visible(from));
            continue;
        }
        directive d = {.conversion = '%'};
        if (*at == '%') at = read_directive(at + 1, &d);
        if (d.conversion == '\0') break;
        if (d.conversion == '%') {
            c = *at == '%' && at > format && at[-1] == '%' ? take_visible(from) : take(from);
            if (c == (byte)*at) continue;
            if (c == EOF && done == 0) done = EOF;
            give_back(from, c);
            break;
        }
        if (d.conversion == 'n') {
            if (!d.suppressed) store_integer(&d, va_arg(more, void *), from->taken);
            continue;
        }
        int skips = d.conversion != 'c' && d.conversion != '[';
        c = skips ? take_visible(from) : take(from);
        if (c == EOF) {
            if (done == 0) done = EOF;
            break;
        }
        give_back(from, c);
        void *to = d.suppressed ? NULL : va_arg(more, void *);
        const char *set = at + 1, *set_end = NULL;
        long value = 0;
        int matched;
        switch (d.conversion) {
        case 'd': case 'u': matched = read_integer(from, &d, 10, &value); break;
        case 'i': matched = read_integer(from, &d, 0, &value); break;
        case 'o': matched = read_integer(from, &d, 8, &value); break;
        case 'p': d.size = SIZE_LONG; matched = read_integer(from, &d, 16, &value); break;
        case 'x': case 'X': matched = read_integer(from, &d, 16, &value); break;
        case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
            matched = read_real(from, &d, to);
            break;
        case '[':
            set_end = end_of_set(set);
            at = set_end;
            matched = *set_end == ']' && read_text(from, &d, to, set, set_end);
            break;
        case 's': case 'c': matched = read_text(from, &d, to, NULL, NULL); break;
        default: matched = 0; break;
        }
        if (!matched) break;
        if (to == NULL) continue;
        if (ctn_model_strchr("diuoxXp", d.conversion) != NULL) store_integer(&d, to, value);
        done++;
    }
    va_end(more);
    return done;
}

/* --- the family ------------------------------------------------------------------------------------------------------------ */

int ctn_model_vsscanf(const char *text, const char *format, va_list more)
{
    source from = {text, NULL, 0};
    return scan_format(&from, format, more);
}

int ctn_model_vfscanf(FILE *stream, const char *format, va_list more)
{
    source from = {NULL, ctn_stream(stream), 0};
    return from.stream == NULL ? EOF : scan_format(&from, format, more);
}

int ctn_model_vscanf(const char *format, va_list more) { return ctn_model_vfscanf(stdin, format, more); }

int ctn_model_sscanf(const char *text, const char *format, ...)
{
    va_list more;
    va_start(more, format);
    int result = ctn_model_vsscanf(text, format, more);
    va_end(more);
    return result;
}

int ctn_model_fscanf(FILE *stream, const char *format, ...)
{
    va_list more;
    va_start(more, format);
    int result = ctn_model_vfscanf(stream, format, more);
    va_end(more);
    return result;
}

int ctn_model_scanf(const char *format, ...)
{
    va_list more;
    va_start(more, format);
    int result = ctn_model_vscanf(format, more);
    va_end(more);
    return result;
}
