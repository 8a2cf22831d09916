/* The C library functions that are modelled: plain C, compiled to bitcode and instrumented together with
 * the program, so that their branches are branches of the path. models.list says which library name is
 * redirected to which model; calls inside the models use the model names.
 * Limits: the C locale, one byte per character, one thread. The allocator is the runtime's own
 * and is called by its library names; so are memcpy, memmove and memset, which are redirected here as well.
 * Rule of style: a result that is a plain function of a value (isalpha, toupper, a difference of bytes) is
 * computed without a branch, so that the only branch is the caller's. */
#ifndef CTN_MODELS_H
#define CTN_MODELS_H

#include <stddef.h>
#include <stdint.h>

typedef unsigned char byte;

/* 1 if low <= c <= high, without a branch. */
static inline unsigned ctn_between(int c, int low, int high)
{
    return (unsigned)c - (unsigned)low <= (unsigned)high - (unsigned)low;
}

static inline int ctn_lower(int c)
{
    return c + (int)(ctn_between(c, 'A', 'Z') << 5);
}

static inline int ctn_is_space(int c)
{
    return (int)(ctn_between(c, '\t', '\r') | (unsigned)(c == ' '));
}

/* Of the runtime (texts.c): how many places of two texts, or of two pieces of memory, can be compared at once. A text
 * ends at the last of them at the latest; `most` bytes are compared. 0: each place decides whether the next is read. */
size_t ctn_places(const void *a, const void *b, size_t most, int is_text);
/* A choice that is no branch of the path. */
int ctn_select(_Bool condition, int then, int otherwise);

/* string: measure and compare (compare.c) */
size_t ctn_model_strlen(const char *s);
size_t ctn_model_strnlen(const char *s, size_t n);
int ctn_model_strcmp(const char *a, const char *b);
int ctn_model_strncmp(const char *a, const char *b, size_t n);
int ctn_model_strcasecmp(const char *a, const char *b);
int ctn_model_strncasecmp(const char *a, const char *b, size_t n);
int ctn_model_memcmp(const void *a, const void *b, size_t n);
size_t ctn_model_strxfrm(char *to, const char *from, size_t n);

/* string: copy (copy.c) */
char *ctn_model_strcpy(char *to, const char *from);
char *ctn_model_strncpy(char *to, const char *from, size_t n);
char *ctn_model_stpcpy(char *to, const char *from);
char *ctn_model_stpncpy(char *to, const char *from, size_t n);
char *ctn_model_strcat(char *to, const char *from);
char *ctn_model_strncat(char *to, const char *from, size_t n);
size_t ctn_model_strlcpy(char *to, const char *from, size_t size);
size_t ctn_model_strlcat(char *to, const char *from, size_t size);
char *ctn_model_strdup(const char *s);
char *ctn_model_strndup(const char *s, size_t n);
void *ctn_model_memcpy(void *to, const void *from, size_t n);
void *ctn_model_memmove(void *to, const void *from, size_t n);
void *ctn_model_memset(void *to, int value, size_t n);
void *ctn_model_mempcpy(void *to, const void *from, size_t n);
void *ctn_model_memccpy(void *to, const void *from, int stop, size_t n);
void ctn_model_bcopy(const void *from, void *to, size_t n);
void ctn_model_bzero(void *p, size_t n);

/* string: search and split (search.c) */
char *ctn_model_strchr(const char *s, int c);
char *ctn_model_strrchr(const char *s, int c);
char *ctn_model_strchrnul(const char *s, int c);
char *ctn_model_strstr(const char *s, const char *part);
char *ctn_model_strcasestr(const char *s, const char *part);
size_t ctn_model_strspn(const char *s, const char *set);
size_t ctn_model_strcspn(const char *s, const char *set);
char *ctn_model_strpbrk(const char *s, const char *set);
char *ctn_model_strtok(char *s, const char *set);
char *ctn_model_strtok_r(char *s, const char *set, char **rest);
char *ctn_model_strsep(char **rest, const char *set);
void *ctn_model_memchr(const void *p, int c, size_t n);
void *ctn_model_memrchr(const void *p, int c, size_t n);
void *ctn_model_rawmemchr(const void *p, int c);
void *ctn_model_memmem(const void *p, size_t n, const void *part, size_t part_n);

/* ctype (ctype.c) */
int ctn_model_isalpha(int c);
int ctn_model_isdigit(int c);
int ctn_model_isalnum(int c);
int ctn_model_isupper(int c);
int ctn_model_islower(int c);
int ctn_model_isspace(int c);
int ctn_model_isblank(int c);
int ctn_model_iscntrl(int c);
int ctn_model_isprint(int c);
int ctn_model_isgraph(int c);
int ctn_model_ispunct(int c);
int ctn_model_isxdigit(int c);
int ctn_model_isascii(int c);
int ctn_model_toascii(int c);
int ctn_model_toupper(int c);
int ctn_model_tolower(int c);
const unsigned short **ctn_model_ctype_b_loc(void);
const int32_t **ctn_model_ctype_tolower_loc(void);
const int32_t **ctn_model_ctype_toupper_loc(void);

/* stdlib: conversion (integer.c, real.c) */
int ctn_model_atoi(const char *s);
long ctn_model_atol(const char *s);
long long ctn_model_atoll(const char *s);
long ctn_model_strtol(const char *s, char **end, int base);
unsigned long ctn_model_strtoul(const char *s, char **end, int base);
long long ctn_model_strtoll(const char *s, char **end, int base);
unsigned long long ctn_model_strtoull(const char *s, char **end, int base);
long ctn_model_strtol_c23(const char *s, char **end, int base);
unsigned long ctn_model_strtoul_c23(const char *s, char **end, int base);
long long ctn_model_strtoll_c23(const char *s, char **end, int base);
unsigned long long ctn_model_strtoull_c23(const char *s, char **end, int base);
double ctn_model_atof(const char *s);
double ctn_model_strtod(const char *s, char **end);
float ctn_model_strtof(const char *s, char **end);

#endif
