/* Models of ctype.h in the C locale, and the three tables that the header's macros read. The functions
 * return the table's bits as the usual library does, computed without branches; the tables are constant
 * so that a read at a symbolic index is an expression over known bytes. */
#include "models.h"

/* Bit positions of the classes in a table entry: little-endian, as the header's macros expect them. */
enum {
    UPPER = 1 << 8, LOWER = 1 << 9, ALPHA = 1 << 10, DIGIT = 1 << 11, XDIGIT = 1 << 12, SPACE = 1 << 13,
    PRINT = 1 << 14, GRAPH = 1 << 15, BLANK = 1 << 0, CNTRL = 1 << 1, PUNCT = 1 << 2, ALNUM = 1 << 3,
};

/* Constant expressions over a character code. */
#define IN(c, low, high) ((c) >= (low) && (c) <= (high))
#define IS_UPPER(c) IN(c, 'A', 'Z')
#define IS_LOWER(c) IN(c, 'a', 'z')
#define IS_DIGIT(c) IN(c, '0', '9')
#define IS_ALPHA(c) (IS_UPPER(c) || IS_LOWER(c))
#define IS_GRAPH(c) IN(c, '!', '~')
#define CLASSES(c)                                                                                       \
    ((IS_UPPER(c) ? UPPER : 0) | (IS_LOWER(c) ? LOWER : 0) | (IS_ALPHA(c) ? ALPHA : 0) |                 \
     (IS_DIGIT(c) ? DIGIT : 0) | (IS_DIGIT(c) || IN(c, 'A', 'F') || IN(c, 'a', 'f') ? XDIGIT : 0) |      \
     (IN(c, '\t', '\r') || (c) == ' ' ? SPACE : 0) | (IN(c, ' ', '~') ? PRINT : 0) |                     \
     (IS_GRAPH(c) ? GRAPH : 0) | ((c) == ' ' || (c) == '\t' ? BLANK : 0) |                               \
     (IN(c, 0, 31) || (c) == 127 ? CNTRL : 0) |                                                          \
     (IS_GRAPH(c) && !IS_ALPHA(c) && !IS_DIGIT(c) ? PUNCT : 0) |                                         \
     (IS_ALPHA(c) || IS_DIGIT(c) ? ALNUM : 0))
/* A negative char is mapped through its unsigned value; -1 is EOF and stays. */
#define AS_UNSIGNED(c) ((c) < -1 ? (c) + 256 : (c))
#define TO_LOWER(c) (IS_UPPER(c) ? (c) + 32 : AS_UNSIGNED(c))
#define TO_UPPER(c) (IS_LOWER(c) ? (c)-32 : AS_UNSIGNED(c))

#define ROW4(F, c)  F((c)), F((c) + 1), F((c) + 2), F((c) + 3)
#define ROW16(F, c) ROW4(F, (c)), ROW4(F, (c) + 4), ROW4(F, (c) + 8), ROW4(F, (c) + 12)
#define ROW64(F, c) ROW16(F, (c)), ROW16(F, (c) + 16), ROW16(F, (c) + 32), ROW16(F, (c) + 48)
#define ROW128(F, c) ROW64(F, (c)), ROW64(F, (c) + 64)

/* Indices -128 .. 255 are valid. */
enum { NEGATIVE = 128 };
#define TABLE(F) {ROW128(F, -128), ROW128(F, 0), ROW128(F, 128)}

static const unsigned short class_table[384] = TABLE(CLASSES);
static const int32_t lower_table[384] = TABLE(TO_LOWER);
static const int32_t upper_table[384] = TABLE(TO_UPPER);

const unsigned short **ctn_model_ctype_b_loc(void)
{
    static const unsigned short *table = class_table + NEGATIVE;
    return &table;
}

const int32_t **ctn_model_ctype_tolower_loc(void)
{
    static const int32_t *table = lower_table + NEGATIVE;
    return &table;
}

const int32_t **ctn_model_ctype_toupper_loc(void)
{
    static const int32_t *table = upper_table + NEGATIVE;
    return &table;
}

static unsigned upper(int c) { return ctn_between(c, 'A', 'Z'); }
static unsigned lower(int c) { return ctn_between(c, 'a', 'z'); }
static unsigned digit(int c) { return ctn_between(c, '0', '9'); }
static unsigned graph(int c) { return ctn_between(c, '!', '~'); }
static unsigned alnum(int c) { return upper(c) | lower(c) | digit(c); }

int ctn_model_isupper(int c) { return (int)(upper(c) * UPPER); }
int ctn_model_islower(int c) { return (int)(lower(c) * LOWER); }
int ctn_model_isalpha(int c) { return (int)((upper(c) | lower(c)) * ALPHA); }
int ctn_model_isdigit(int c) { return (int)(digit(c) * DIGIT); }
int ctn_model_isalnum(int c) { return (int)(alnum(c) * ALNUM); }
int ctn_model_isspace(int c) { return ctn_is_space(c) * SPACE; }
int ctn_model_isblank(int c) { return ((c == ' ') | (c == '\t')) * BLANK; }
int ctn_model_iscntrl(int c) { return (int)((ctn_between(c, 0, 31) | (unsigned)(c == 127)) * CNTRL); }
int ctn_model_isprint(int c) { return (int)(ctn_between(c, ' ', '~') * PRINT); }
int ctn_model_isgraph(int c) { return (int)(graph(c) * GRAPH); }
int ctn_model_ispunct(int c) { return (int)((graph(c) & ~alnum(c)) * PUNCT); }
int ctn_model_isascii(int c) { return (c & ~0x7f) == 0; }
int ctn_model_toascii(int c) { return c & 0x7f; }

int ctn_model_isxdigit(int c)
{
    return (int)((digit(c) | ctn_between(c, 'A', 'F') | ctn_between(c, 'a', 'f')) * XDIGIT);
}

static int unsigned_char(int c) { return c + (int)(ctn_between(c, -128, -2) << 8); }

int ctn_model_tolower(int c)
{
    c = unsigned_char(c);
    return c + (int)(upper(c) << 5);
}

int ctn_model_toupper(int c)
{
    c = unsigned_char(c);
    return c - (int)(lower(c) << 5);
}
