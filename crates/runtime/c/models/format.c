/* The formatter of the printf family. Numbers of digits are found by comparing with powers of the base and each
 * digit with one division by a constant, so that a symbolic number costs the solver little. Floating point goes
 * to the C library, value by value, with the value concretised.
 * Limits: the C locale; %1$d and the like are not known and print nothing. */
#include "format.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* The library's own, under a name that no program calls and so nothing redirects. */
int __snprintf(char *to, size_t size, const char *format, ...);

enum { DIGITS_MAX = 64, SPEC_MAX = 40, FLOAT_ROOM = 400, GROW_FIRST = 128 };
enum { LENGTH_CHAR = -2, LENGTH_SHORT = -1, LENGTH_INT = 0, LENGTH_LONG = 1, LENGTH_LONG_DOUBLE = 2 };

typedef struct {
    int left, sign, space, alternate, zero, grouped;
    int width;
    int precision; /* -1: none */
    int length;
    char conversion;
} spec;

static void put(text_sink *out, char c)
{
    if (out->used >= out->room && out->grows && !out->failed) {
        size_t room = out->room < GROW_FIRST ? GROW_FIRST : out->room * 2;
        char *bytes = realloc(out->bytes, room);
        if (bytes == NULL) {
            out->failed = 1;
        } else {
            out->bytes = bytes;
            out->room = room;
        }
    }
    if (out->used < out->room) out->bytes[out->used] = c;
    out->used++;
}

static void fill(text_sink *out, char c, int count)
{
    for (; count > 0; count--) put(out, c);
}

/* Blanks around a text of known length. */
static void put_padded(text_sink *out, const spec *s, const char *text, size_t length)
{
    int blanks = length < (size_t)s->width ? s->width - (int)length : 0;
    if (!s->left) fill(out, ' ', blanks);
    for (size_t i = 0; i < length; i++) put(out, text[i]);
    if (s->left) fill(out, ' ', blanks);
}

/* --- integers -------------------------------------------------------------------------------------------------- */

static unsigned decimal_digits(uint64_t value, char *to)
{
    static const uint64_t powers[] = {1u, 10u, 100u, 1000u, 10000u, 100000u, 1000000u, 10000000u, 100000000u,
                                      1000000000u, 10000000000u, 100000000000u, 1000000000000u, 10000000000000u,
                                      100000000000000u, 1000000000000000u, 10000000000000000u,
                                      100000000000000000u, 1000000000000000000u, 10000000000000000000u};
    unsigned count = 1;
    while (count < 20 && value >= powers[count]) count++;
    for (unsigned i = 0; i < count; i++) {
        /* Ten digits fit into half the bits, which halves the divider. */
        if (count < 10)
            to[i] = (char)('0' + (uint32_t)value / (uint32_t)powers[count - 1 - i] % 10);
        else
            to[i] = (char)('0' + value / powers[count - 1 - i] % 10);
    }
    return count;
}

static unsigned shifted_digits(uint64_t value, unsigned bits, char letter, char *to)
{
    unsigned count = 1;
    while (count * bits < 64 && value >> (count * bits) != 0) count++;
    for (unsigned i = 0; i < count; i++) {
        unsigned digit = (unsigned)(value >> ((count - 1 - i) * bits)) & ((1u << bits) - 1);
        to[i] = (char)('0' + digit + (digit > 9) * (unsigned)(letter - '0' - 10));
    }
    return count;
}

static void put_integer(text_sink *out, const spec *s, uint64_t value, char sign)
{
    char digits[DIGITS_MAX], prefix[3];
    unsigned count, prefixes = 0;
    switch (s->conversion) {
    case 'o': count = shifted_digits(value, 3, 'a', digits); break;
    case 'x': case 'p': count = shifted_digits(value, 4, 'a', digits); break;
    case 'X': count = shifted_digits(value, 4, 'A', digits); break;
    default: count = decimal_digits(value, digits); break;
    }
    if (s->precision == 0 && value == 0) count = 0;
    int zeros = s->precision > (int)count ? s->precision - (int)count : 0;
    if (s->alternate && s->conversion == 'o' && zeros == 0 && (count == 0 || digits[0] != '0')) zeros = 1;
    if (sign) prefix[prefixes++] = sign;
    if ((s->alternate && value != 0 && (s->conversion == 'x' || s->conversion == 'X')) || s->conversion == 'p') {
        prefix[prefixes++] = '0';
        prefix[prefixes++] = s->conversion == 'X' ? 'X' : 'x';
    }
    int blanks = s->width - (int)count - (int)prefixes - zeros;
    if (s->zero && !s->left && s->precision < 0 && blanks > 0) {
        zeros += blanks;
        blanks = 0;
    }
    if (!s->left) fill(out, ' ', blanks);
    for (unsigned i = 0; i < prefixes; i++) put(out, prefix[i]);
    fill(out, '0', zeros);
    for (unsigned i = 0; i < count; i++) put(out, digits[i]);
    if (s->left) fill(out, ' ', blanks);
}

static int64_t signed_of(int64_t value, int length)
{
    return length == LENGTH_CHAR ? (signed char)value : length == LENGTH_SHORT ? (short)value : value;
}

static uint64_t unsigned_of(uint64_t value, int length)
{
    return length == LENGTH_CHAR ? (unsigned char)value : length == LENGTH_SHORT ? (unsigned short)value : value;
}

static void put_signed(text_sink *out, const spec *s, int64_t value)
{
    char sign = value < 0 ? '-' : s->sign ? '+' : s->space ? ' ' : '\0';
    put_integer(out, s, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, sign);
}

/* --- the rest ---------------------------------------------------------------------------------------------------- */

static void put_string(text_sink *out, const spec *s, const char *text)
{
    size_t length = 0;
    if (text == NULL) text = s->precision < 0 || s->precision >= 6 ? "(null)" : "";
    while ((s->precision < 0 || length < (size_t)s->precision) && text[length] != '\0') length++;
    put_padded(out, s, text, length);
}

/* Wide characters beyond ASCII have no bytes in the C locale. */
static void put_wide_string(text_sink *out, const spec *s, const wchar_t *text)
{
    text_sink narrow = {NULL, 0, 0, 1, 0};
    if (text == NULL) {
        put_string(out, s, NULL);
        return;
    }
    for (; (s->precision < 0 || narrow.used < (size_t)s->precision) && *text != 0; text++) {
        if (*text < 0 || *text > 127) {
            out->failed = 1;
            errno = EILSEQ;
        }
        put(&narrow, (char)*text);
    }
    put_padded(out, s, narrow.bytes, narrow.used);
    free(narrow.bytes);
}

static void put_real(text_sink *out, const spec *s, long double value)
{
    char text[SPEC_MAX], small[FLOAT_ROOM], *at = text, *all = small;
    *at++ = '%';
    if (s->left) *at++ = '-';
    if (s->sign) *at++ = '+';
    if (s->space) *at++ = ' ';
    if (s->alternate) *at++ = '#';
    if (s->zero) *at++ = '0';
    *at++ = '*';
    if (s->precision >= 0) {
        *at++ = '.';
        *at++ = '*';
    }
    if (s->length == LENGTH_LONG_DOUBLE) *at++ = 'L';
    *at++ = s->conversion;
    *at = '\0';
    int length = 0;
    for (size_t room = sizeof small;; room = (size_t)length + 1) {
        if (s->length == LENGTH_LONG_DOUBLE)
            length = s->precision >= 0 ? __snprintf(all, room, text, s->width, s->precision, value)
                                       : __snprintf(all, room, text, s->width, value);
        else
            length = s->precision >= 0 ? __snprintf(all, room, text, s->width, s->precision, (double)value)
                                       : __snprintf(all, room, text, s->width, (double)value);
        if (length < 0 || (size_t)length < room) break;
        all = malloc((size_t)length + 1);
        if (all == NULL) length = -1;
    }
    if (length < 0) out->failed = 1;
    for (int i = 0; i < length; i++) put(out, all[i]);
    if (all != small) free(all);
}

/* --- the format ---------------------------------------------------------------------------------------------------- */

static const char *read_flags(const char *at, spec *s)
{
    for (;; at++)
        switch (*at) {
        case '-': s->left = 1; break;
        case '+': s->sign = 1; break;
        case ' ': s->space = 1; break;
        case '#': s->alternate = 1; break;
        case '0': s->zero = 1; break;
        case '\'': case 'I': break;
        default: return at;
        }
}

static const char *read_number(const char *at, int *number)
{
    for (*number = 0; ctn_between(*at, '0', '9'); at++)
        if (*number < INT_MAX / 10) *number = *number * 10 + (*at - '0');
    return at;
}

static const char *read_length(const char *at, spec *s)
{
    switch (*at) {
    case 'h': s->length = at[1] == 'h' ? LENGTH_CHAR : LENGTH_SHORT; return at + (at[1] == 'h' ? 2 : 1);
    case 'l': s->length = LENGTH_LONG; return at + (at[1] == 'l' ? 2 : 1);
    case 'q': case 'j': case 'z': case 'Z': case 't': s->length = LENGTH_LONG; return at + 1;
    case 'L': s->length = LENGTH_LONG_DOUBLE; return at + 1;
    default: return at;
    }
}

static void put_conversion(text_sink *out, spec *s, va_list *more)
{
    char c;
    void *pointer;
    switch (s->conversion) {
    case 'd': case 'i':
        put_signed(out, s, s->length > 0 ? va_arg(*more, long) : signed_of(va_arg(*more, int), s->length));
        break;
    case 'u': case 'o': case 'x': case 'X':
        put_integer(out, s,
                    s->length > 0 ? va_arg(*more, unsigned long) : unsigned_of(va_arg(*more, unsigned), s->length), 0);
        break;
    case 'c': case 'C':
        c = (char)va_arg(*more, int);
        put_padded(out, s, &c, 1);
        break;
    case 's': case 'S':
        if (s->length == LENGTH_LONG || s->conversion == 'S')
            put_wide_string(out, s, va_arg(*more, const wchar_t *));
        else
            put_string(out, s, va_arg(*more, const char *));
        break;
    case 'p':
        pointer = va_arg(*more, void *);
        if (pointer == NULL)
            put_padded(out, s, "(nil)", 5);
        else
            put_integer(out, s, (uintptr_t)pointer, s->sign ? '+' : s->space ? ' ' : '\0');
        break;
    case 'n':
        pointer = va_arg(*more, void *);
        if (s->length == LENGTH_CHAR) *(signed char *)pointer = (signed char)out->used;
        else if (s->length == LENGTH_SHORT) *(short *)pointer = (short)out->used;
        else if (s->length == LENGTH_INT) *(int *)pointer = (int)out->used;
        else *(long *)pointer = (long)out->used;
        break;
    case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
        put_real(out, s, s->length == LENGTH_LONG_DOUBLE ? va_arg(*more, long double) : va_arg(*more, double));
        break;
    case 'm': put_string(out, s, strerror(errno)); break;
    case '%': put(out, '%'); break;
    }
}

void ctn_format(text_sink *out, const char *format, va_list arguments)
{
    va_list more;
    va_copy(more, arguments);
    for (const char *at = format; *at != '\0'; at++) {
        if (*at != '%') {
            put(out, *at);
            continue;
        }
        const char *percent = at;
        spec s = {.precision = -1};
        at = read_flags(at + 1, &s);
        if (*at == '*') {
            s.width = va_arg(more, int);
            if (s.width < 0) {
                s.left = 1;
                s.width = s.width == INT_MIN ? INT_MAX : -s.width;
            }
            at++;
        } else {
            at = read_number(at, &s.width);
        }
        if (*at == '.') {
            at++;
            if (*at == '*') {
                s.precision = va_arg(more, int);
                if (s.precision < 0) s.precision = -1;
                at++;
            } else {
                at = read_number(at, &s.precision);
            }
        }
        at = read_length(at, &s);
        s.conversion = *at;
        if (*at == '\0' || ctn_model_strchr("diuoxXcCsSpneEfFgGaAm%", *at) == NULL) {
            /* No conversion: the library prints it as it stands. */
            for (; percent <= at && *percent != '\0'; percent++) put(out, *percent);
            if (*at == '\0') break;
            continue;
        }
        put_conversion(out, &s, &more);
    }
    va_end(more);
}
