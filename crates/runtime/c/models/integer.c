/* Models of the stdlib.h conversions from text to integers, errno included. The accumulator compares with
 * a quotient that is known before the loop, so that a symbolic digit costs a comparison and no division. */
#include "models.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

/* The value of a digit in bases up to 36; 99 for any other character. */
static unsigned digit_value(int c)
{
    if (ctn_between(c, '0', '9')) return (unsigned)(c - '0');
    if (ctn_between(ctn_lower(c), 'a', 'z')) return (unsigned)(ctn_lower(c) - 'a') + 10;
    return 99;
}

typedef struct {
    unsigned long long magnitude; /* at most the limit it was scanned with */
    int negative;
    int overflow;
} scanned;

/* What follows a prefix 0x or 0b counts only if it is a digit; else the number is the 0 before the x. */
static int has_prefix(const char *s, char letter, unsigned base)
{
    return s[0] == '0' && ctn_lower((byte)s[1]) == letter && digit_value((byte)s[2]) < base;
}

/* `limit` is the largest magnitude of a positive number, `limit + slack` that of a negative one. */
static scanned scan(const char *s, char **end, int base, int binary, unsigned long long limit, unsigned slack)
{
    scanned result = {0, 0, 0};
    if (end != NULL) *end = (char *)s;
    if (base < 0 || base == 1 || base > 36) {
        errno = EINVAL;
        return result;
    }
    while (ctn_is_space((byte)*s)) s++;
    if (*s == '-' || *s == '+') result.negative = *s++ == '-';
    if ((base == 0 || base == 16) && has_prefix(s, 'x', 16)) {
        s += 2;
        base = 16;
    } else if (binary && (base == 0 || base == 2) && has_prefix(s, 'b', 2)) {
        s += 2;
        base = 2;
    } else if (base == 0) {
        base = *s == '0' ? 8 : 10;
    }
    if (result.negative) limit += slack;
    unsigned long long most = limit / (unsigned)base, last = limit % (unsigned)base;
    int any = 0;
    for (;; s++) {
        unsigned digit = digit_value((byte)*s);
        if (digit >= (unsigned)base) break;
        any = 1;
        if (result.overflow) continue;
        if (result.magnitude > most || (result.magnitude == most && digit > last)) {
            result.overflow = 1;
            result.magnitude = limit;
        } else {
            result.magnitude = result.magnitude * (unsigned)base + digit;
        }
    }
    if (any && end != NULL) *end = (char *)s;
    if (result.overflow) errno = ERANGE;
    return result;
}

static long long to_signed(const char *s, char **end, int base, int binary, long long max)
{
    scanned n = scan(s, end, base, binary, (unsigned long long)max, 1);
    /* Negated as unsigned: the most negative number has no positive counterpart. */
    return (long long)(n.negative ? 0 - n.magnitude : n.magnitude);
}

static unsigned long long to_unsigned(const char *s, char **end, int base, int binary, unsigned long long max)
{
    scanned n = scan(s, end, base, binary, max, 0);
    return n.negative && !n.overflow ? 0 - n.magnitude : n.magnitude;
}

long ctn_model_strtol(const char *s, char **end, int base) { return (long)to_signed(s, end, base, 0, LONG_MAX); }
long long ctn_model_strtoll(const char *s, char **end, int base) { return to_signed(s, end, base, 0, LLONG_MAX); }

unsigned long ctn_model_strtoul(const char *s, char **end, int base)
{
    return (unsigned long)to_unsigned(s, end, base, 0, ULONG_MAX);
}

unsigned long long ctn_model_strtoull(const char *s, char **end, int base)
{
    return to_unsigned(s, end, base, 0, ULLONG_MAX);
}

/* C23 adds the prefix 0b; newer headers bind the functions to these under other names. */
long ctn_model_strtol_c23(const char *s, char **end, int base) { return (long)to_signed(s, end, base, 1, LONG_MAX); }
long long ctn_model_strtoll_c23(const char *s, char **end, int base) { return to_signed(s, end, base, 1, LLONG_MAX); }

unsigned long ctn_model_strtoul_c23(const char *s, char **end, int base)
{
    return (unsigned long)to_unsigned(s, end, base, 1, ULONG_MAX);
}

unsigned long long ctn_model_strtoull_c23(const char *s, char **end, int base)
{
    return to_unsigned(s, end, base, 1, ULLONG_MAX);
}

int ctn_model_atoi(const char *s) { return (int)ctn_model_strtol(s, NULL, 10); }
long ctn_model_atol(const char *s) { return ctn_model_strtol(s, NULL, 10); }
long long ctn_model_atoll(const char *s) { return ctn_model_strtoll(s, NULL, 10); }

/* The magnitude of the most negative number wraps, as it does in the library. */
int ctn_model_abs(int n) { return n < 0 ? (int)(0u - (unsigned)n) : n; }
long ctn_model_labs(long n) { return n < 0 ? (long)(0ul - (unsigned long)n) : n; }
long long ctn_model_llabs(long long n) { return n < 0 ? (long long)(0ull - (unsigned long long)n) : n; }

div_t ctn_model_div(int a, int b) { return (div_t){a / b, a % b}; }
ldiv_t ctn_model_ldiv(long a, long b) { return (ldiv_t){a / b, a % b}; }
lldiv_t ctn_model_lldiv(long long a, long long b) { return (lldiv_t){a / b, a % b}; }
