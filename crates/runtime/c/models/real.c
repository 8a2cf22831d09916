/* Models of strtod, strtof and atof. The text is scanned here, so each character is a branch. A decimal
 * number whose digits and power of ten are both exact in the target type is computed here with one
 * multiplication or division, which rounds correctly and stays symbolic; every other number goes to the
 * C library with the value of the text concretised. */
#include "models.h"

/* The library's own conversions, under the names that no program calls and so nothing redirects. */
double __strtod_internal(const char *s, char **end, int group);
float __strtof_internal(const char *s, char **end, int group);

enum { SYNTAX_NONE, SYNTAX_DECIMAL, SYNTAX_HEX, SYNTAX_INFINITY, SYNTAX_NAN };

typedef struct {
    int syntax;
    int negative;
    int inexact;         /* more digits than the significand holds */
    uint64_t significand;
    int exponent;        /* of ten, for SYNTAX_DECIMAL */
    const char *end;
} real_text;

static int is_digit(char c) { return (int)ctn_between(c, '0', '9'); }

static int is_hex_digit(char c)
{
    return is_digit(c) || (int)ctn_between(ctn_lower((byte)c), 'a', 'f');
}

/* 1 if s begins with the word, which is in lower case. */
static int begins(const char *s, const char *word)
{
    for (; *word != '\0'; s++, word++)
        if (ctn_lower((byte)*s) != *word) return 0;
    return 1;
}

static const char *skip_nan_payload(const char *s)
{
    if (*s != '(') return s;
    const char *at = s + 1;
    while (is_digit(*at) || ctn_between(ctn_lower((byte)*at), 'a', 'z') || *at == '_') at++;
    return *at == ')' ? at + 1 : s;
}

/* An exponent counts only with at least one digit; it is capped where every type is 0 or infinite. */
static const char *scan_exponent(const char *s, char letter, int *exponent)
{
    if (ctn_lower((byte)*s) != letter) return s;
    const char *at = s + 1;
    int negative = 0, value = 0;
    if (*at == '+' || *at == '-') negative = *at++ == '-';
    if (!is_digit(*at)) return s;
    for (; is_digit(*at); at++)
        if (value < 100000) value = value * 10 + (*at - '0');
    *exponent += negative ? -value : value;
    return at;
}

static real_text scan_decimal(const char *s, real_text text)
{
    const char *at = s;
    int digits = 0, fraction = 0;
    for (;; at++) {
        if (*at == '.' && !fraction) {
            fraction = 1;
            continue;
        }
        if (!is_digit(*at)) break;
        digits = 1;
        if (text.significand > UINT64_MAX / 10 - 1) {
            text.inexact = 1;
            continue;
        }
        text.significand = text.significand * 10 + (uint64_t)(*at - '0');
        text.exponent -= fraction;
    }
    if (!digits) return text;
    text.syntax = SYNTAX_DECIMAL;
    text.end = scan_exponent(at, 'e', &text.exponent);
    return text;
}

/* Only the extent: hexadecimal numbers are rare and the library computes them. */
static real_text scan_hex(const char *s, real_text text)
{
    const char *at = s + 2;
    int digits = 0, fraction = 0, ignored = 0;
    for (; is_hex_digit(*at) || (*at == '.' && !fraction); at++) {
        fraction |= *at == '.';
        digits |= *at != '.';
    }
    if (!digits) return text;
    text.syntax = SYNTAX_HEX;
    text.end = scan_exponent(at, 'p', &ignored);
    return text;
}

static real_text scan_real(const char *s)
{
    real_text text = {SYNTAX_NONE, 0, 0, 0, 0, s};
    while (ctn_is_space((byte)*s)) s++;
    if (*s == '-' || *s == '+') text.negative = *s++ == '-';
    if (begins(s, "inf")) {
        text.syntax = SYNTAX_INFINITY;
        text.end = s + (begins(s + 3, "inity") ? 8 : 3);
    } else if (begins(s, "nan")) {
        text.syntax = SYNTAX_NAN;
        text.end = skip_nan_payload(s + 3);
    } else if (*s == '0' && ctn_lower((byte)s[1]) == 'x') {
        text = scan_hex(s, text);
        if (text.syntax == SYNTAX_NONE) text = scan_decimal(s, text); /* the 0 before the x */
    } else {
        text = scan_decimal(s, text);
    }
    return text;
}

/* Powers of ten that a double holds exactly; a float holds the first eleven. */
static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static int is_exact(const real_text *text, uint64_t most, int power)
{
    return text->syntax == SYNTAX_DECIMAL && !text->inexact && text->significand <= most &&
           text->exponent >= -power && text->exponent <= power;
}

double ctn_model_strtod(const char *s, char **end)
{
    real_text text = scan_real(s);
    if (end != NULL) *end = (char *)text.end;
    if (text.syntax == SYNTAX_NONE) return 0;
    if (!is_exact(&text, (uint64_t)1 << 53, 22)) return __strtod_internal(s, NULL, 0);
    double value = (double)text.significand;
    value = text.exponent < 0 ? value / powers[-text.exponent] : value * powers[text.exponent];
    return text.negative ? -value : value;
}

float ctn_model_strtof(const char *s, char **end)
{
    real_text text = scan_real(s);
    if (end != NULL) *end = (char *)text.end;
    if (text.syntax == SYNTAX_NONE) return 0;
    if (!is_exact(&text, (uint64_t)1 << 24, 10)) return __strtof_internal(s, NULL, 0);
    float value = (float)text.significand;
    value = text.exponent < 0 ? value / (float)powers[-text.exponent] : value * (float)powers[text.exponent];
    return text.negative ? -value : value;
}

double ctn_model_atof(const char *s) { return ctn_model_strtod(s, NULL); }
