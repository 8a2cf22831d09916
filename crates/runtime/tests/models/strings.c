/* string.h and strings.h: results, and the memory that a copy leaves behind. */
#define _GNU_SOURCE
#include "../../c/models/models.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ROOM = 64, ROUNDS = 20000 };

/* Small alphabets make equal prefixes, repeated letters and hits likely. */
static const char *const alphabets[] = {"ab", "abAB", "a,; ", "aAbBzZ@[`{", NULL};

/* Stand in for the runtime's texts.c: nothing is known, the shorter text is, or the longer one. */
static enum { NEITHER, SHORTER, LONGER } known;

size_t ctn_places(const void *a, const void *b, size_t most, int is_text)
{
    if (known == NEITHER || !is_text) return known == NEITHER ? 0 : most;
    size_t one = strnlen(a, most), other = strnlen(b, most);
    size_t end = (one < other) == (known == SHORTER) ? one : other;
    return end < most ? end + 1 : most;
}

int ctn_select(_Bool condition, int then, int otherwise)
{
    return condition ? then : otherwise;
}

static void check_compare(const char *a, const char *b, size_t n)
{
    SAME(ctn_model_strlen(a), strlen(a), a);
    SAME(ctn_model_strnlen(a, n), strnlen(a, n), a);
    SAME(sign(ctn_model_strcmp(a, b)), sign(strcmp(a, b)), a);
    SAME(sign(ctn_model_strncmp(a, b, n)), sign(strncmp(a, b, n)), a);
    SAME(sign(ctn_model_strcasecmp(a, b)), sign(strcasecmp(a, b)), a);
    SAME(sign(ctn_model_strncasecmp(a, b, n)), sign(strncasecmp(a, b, n)), a);
    SAME(sign(ctn_model_strcmp(a, b)), sign(strcoll(a, b)), a);
    size_t common = strnlen(a, n) < strnlen(b, n) ? strnlen(a, n) : strnlen(b, n);
    SAME(sign(ctn_model_memcmp(a, b, common)), sign(memcmp(a, b, common)), a);
}

/* Compared at once, the difference is the same number. Both texts have room for the longer one. */
static void check_at_once(const char *a, const char *b, size_t n)
{
    int whole = ctn_model_strcmp(a, b), part = ctn_model_strncmp(a, b, n);
    int folded = ctn_model_strcasecmp(a, b), folded_part = ctn_model_strncasecmp(a, b, n);
    size_t common = n < ROOM ? n : ROOM;
    int bytes = ctn_model_memcmp(a, b, common);
    for (known = SHORTER; known <= LONGER; known++) {
        SAME(ctn_model_strcmp(a, b), whole, a);
        SAME(ctn_model_strncmp(a, b, n), part, a);
        SAME(ctn_model_strcasecmp(a, b), folded, a);
        SAME(ctn_model_strncasecmp(a, b, n), folded_part, a);
        SAME(ctn_model_memcmp(a, b, common), bytes, a);
    }
    known = NEITHER;
}

static void check_search(const char *a, const char *b, size_t n)
{
    int c = below(4) ? a[0] : (int)below(256) - 128;
    SAME(ctn_model_strchr(a, c), strchr(a, c), a);
    SAME(ctn_model_strrchr(a, c), strrchr(a, c), a);
    SAME(ctn_model_strchrnul(a, c), strchrnul(a, c), a);
    SAME(ctn_model_strchr(a, 0), strchr(a, 0), a);
    SAME(ctn_model_strrchr(a, 0), strrchr(a, 0), a);
    SAME(ctn_model_strstr(a, b), strstr(a, b), a);
    SAME(ctn_model_strcasestr(a, b), strcasestr(a, b), a);
    SAME(ctn_model_strspn(a, b), strspn(a, b), a);
    SAME(ctn_model_strcspn(a, b), strcspn(a, b), a);
    SAME(ctn_model_strpbrk(a, b), strpbrk(a, b), a);
    size_t length = strnlen(a, n), part = strlen(b);
    SAME(ctn_model_memchr(a, c, length), memchr(a, c, length), a);
    SAME(ctn_model_memrchr(a, c, length), memrchr(a, c, length), a);
    SAME(ctn_model_rawmemchr(a, 0), rawmemchr(a, 0), a);
    SAME(ctn_model_memmem(a, length, b, part), memmem(a, length, b, part), a);
}

/* Two equal rooms, one for each; what a function writes, and only that, must agree. */
static char mine[ROOM * 4], theirs[ROOM * 4];

static void refill(const char *prefix)
{
    memset(mine, '#', sizeof mine);
    memcpy(mine, prefix, strlen(prefix) + 1);
    memcpy(theirs, mine, sizeof mine);
}

#define SAME_COPY(name, ...)                                                                             \
    do {                                                                                                 \
        refill(b);                                                                                       \
        char *m = (char *)ctn_model_##name(mine, __VA_ARGS__), *t = (char *)name(theirs, __VA_ARGS__);   \
        CHECK((m == NULL) == (t == NULL) && (m == NULL || m - mine == t - theirs), a);                   \
        CHECK(memcmp(mine, theirs, sizeof mine) == 0, a);                                                \
    } while (0)

static void check_copy(const char *a, const char *b, size_t n)
{
    SAME_COPY(strcpy, a);
    SAME_COPY(stpcpy, a);
    SAME_COPY(strncpy, a, n);
    SAME_COPY(stpncpy, a, n);
    SAME_COPY(strcat, a);
    SAME_COPY(strncat, a, n);
    SAME_COPY(mempcpy, a, strlen(a));
    SAME_COPY(memccpy, a, a[0], strlen(a));
    refill(b);
    SAME(ctn_model_strxfrm(mine, a, ROOM), strxfrm(theirs, a, ROOM), a);
    CHECK(strcmp(mine, theirs) == 0, a);
    char *copy = ctn_model_strdup(a), *part = ctn_model_strndup(a, n);
    CHECK(copy && strcmp(copy, a) == 0, a);
    CHECK(part && strlen(part) == strnlen(a, n) && strncmp(part, a, n) == 0, a);
    free(copy);
    free(part);
}

/* strlcpy and strlcat are young in the library: their definition is checked instead. */
static void check_bounded(const char *a, const char *b, size_t size)
{
    refill(b);
    SAME(ctn_model_strlcpy(mine, a, size), strlen(a), a);
    CHECK(size == 0 ? strcmp(mine, b) == 0 : snprintf(theirs, size, "%s", a) >= 0, a);
    CHECK(memcmp(mine, theirs, sizeof mine) == 0, a);
    refill(b);
    size_t before = strnlen(b, size);
    SAME(ctn_model_strlcat(mine, a, size), before + strlen(a), a);
    if (before < size) snprintf(theirs, size, "%s%s", b, a);
    CHECK(memcmp(mine, theirs, sizeof mine) == 0, a);
}

static void check_split(const char *a, const char *set)
{
    strcpy(mine, a);
    strcpy(theirs, a);
    char *m = mine, *t = theirs, *mine_rest = NULL, *theirs_rest = NULL;
    do {
        m = ctn_model_strtok_r(m, set, &mine_rest);
        t = strtok_r(t, set, &theirs_rest);
        CHECK((m == NULL) == (t == NULL) && (m == NULL || (m - mine == t - theirs && strcmp(m, t) == 0)), a);
        if (m == NULL || t == NULL) break;
        m = t = NULL; /* go on with the rest */
    } while (1);
    strcpy(mine, a);
    strcpy(theirs, a);
    for (m = ctn_model_strtok(mine, set), t = strtok(theirs, set); m != NULL && t != NULL;
         m = ctn_model_strtok(NULL, set), t = strtok(NULL, set))
        CHECK(m - mine == t - theirs && strcmp(m, t) == 0, a);
    CHECK(m == t, a);
    strcpy(mine, a);
    strcpy(theirs, a);
    mine_rest = mine;
    theirs_rest = theirs;
    do {
        m = ctn_model_strsep(&mine_rest, set);
        t = strsep(&theirs_rest, set);
        CHECK((m == NULL) == (t == NULL) && (m == NULL || strcmp(m, t) == 0), a);
        CHECK((mine_rest == NULL) == (theirs_rest == NULL), a);
    } while (m != NULL && t != NULL);
}

void check_strings(void)
{
    char a[ROOM] = "", b[ROOM] = "";
    for (int round = 0; round < ROUNDS; round++) {
        const char *alphabet = alphabets[below(sizeof alphabets / sizeof *alphabets)];
        any_text(a, below(8) ? 12 : ROOM - 1, alphabet);
        any_text(b, below(3) ? 3 : 12, alphabet);
        if (below(4) == 0) strcpy(b, a + below((unsigned)strlen(a) + 1));
        size_t n = below(ROOM + 4);
        check_compare(a, b, n);
        check_at_once(a, b, n);
        check_search(a, b, n);
        check_copy(a, b, n);
        check_bounded(a, b, n);
        check_split(a, b);
    }
}
