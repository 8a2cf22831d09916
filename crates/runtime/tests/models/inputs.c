/* Environment, clocks and random numbers: models that read input slots. The slot calls are answered here
 * from a small script, in place of the runtime. */
#include "../../c/ctn.h"
#include "check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

char *ctn_model_getenv(const char *name);
int ctn_model_setenv(const char *name, const char *value, int overwrite);
int ctn_model_unsetenv(const char *name);
int ctn_model_putenv(char *assignment);
int ctn_model_clearenv(void);
time_t ctn_model_time(time_t *t);
int ctn_model_gettimeofday(struct timeval *tv, void *zone);
int ctn_model_clock_gettime(clockid_t which, struct timespec *ts);
int ctn_model_timespec_get(struct timespec *ts, int base);
clock_t ctn_model_clock(void);
void ctn_model_srand(unsigned seed);
int ctn_model_rand(void);
int ctn_model_rand_r(unsigned *seed);
double ctn_model_drand48(void);

static char asked[128];                 /* the path of the last slot */
static unsigned long long next_bits;    /* the answer to ctn_bits, once */
static unsigned next_choice;
static const char *next_text = "";

static size_t print_path(char *to, const ctn_path *at)
{
    size_t n = at->up ? print_path(to, at->up) : 0;
    return n + (size_t)sprintf(to + n, "%s", at->name ? at->name : "[]");
}

unsigned long long ctn_bits(unsigned width, const ctn_path *at)
{
    print_path(asked, at);
    unsigned long long bits = next_bits;
    next_bits = 0;
    CHECK(width == 64 || bits >> width == 0, asked);
    return bits;
}

unsigned ctn_choice(unsigned n, const ctn_path *at)
{
    print_path(asked, at);
    CHECK(next_choice < n, asked);
    return next_choice;
}

unsigned ctn_count(unsigned n, const ctn_path *at) { return ctn_choice(n, at); }

void ctn_limit(int condition) { CHECK(condition, asked); }

void ctn_array(void *p, unsigned long size, unsigned long count, const ctn_path *at)
{
    print_path(asked, at);
    strncpy(p, next_text, size * count);
}

void *ctn_alloc(unsigned long size) { return calloc(1, size); }

static void check_environment(void)
{
    next_choice = 0;
    CHECK(ctn_model_getenv("HOME") == NULL, asked);
    CHECK(strcmp(asked, "getenv(\"HOME\")") == 0, asked);
    next_choice = 1;
    next_text = "/tmp";
    CHECK(ctn_model_getenv("HOME") == NULL, "a variable stays what it was");
    char *path = ctn_model_getenv("PATH");
    CHECK(path && strcmp(path, "/tmp") == 0, "PATH");
    CHECK(ctn_model_getenv("PATH") == path, "the same pointer again");
    next_choice = 0;
    CHECK(ctn_model_getenv("PAT") == NULL, "a prefix is another name");
    CHECK(ctn_model_setenv("HOME", "x", 0) == 0 && strcmp(ctn_model_getenv("HOME"), "x") == 0, "set");
    CHECK(ctn_model_setenv("HOME", "y", 0) == 0 && strcmp(ctn_model_getenv("HOME"), "x") == 0, "kept");
    CHECK(ctn_model_setenv("HOME", "y", 1) == 0 && strcmp(ctn_model_getenv("HOME"), "y") == 0, "overwritten");
    CHECK(ctn_model_unsetenv("HOME") == 0 && ctn_model_getenv("HOME") == NULL, "unset");
    errno = 0;
    CHECK(ctn_model_setenv("A=B", "y", 1) == -1 && errno == EINVAL, "a name with =");
    static char assignment[] = "MODE=fast";
    CHECK(ctn_model_putenv(assignment) == 0 && ctn_model_getenv("MODE") == assignment + 5, "putenv keeps the string");
    CHECK(ctn_model_clearenv() == 0 && ctn_model_getenv("MODE") == NULL, "cleared");
}

static void check_clocks(void)
{
    time_t first = ctn_model_time(NULL), stored = 1;
    CHECK(strcmp(asked, "time()") == 0, asked);
    next_bits = 0xffffffffu;
    time_t second = ctn_model_time(&stored);
    CHECK(second == stored && second - first == 0xffffffff, "moved by the slot");
    int looks = 0;
    while (ctn_model_time(NULL) < second + 2 && looks < 5000) looks++;
    CHECK(looks > 0 && looks < 5000, "a loop that waits ends");
    struct timeval before, after;
    CHECK(ctn_model_gettimeofday(&before, NULL) == 0 && ctn_model_gettimeofday(&after, NULL) == 0, "ok");
    CHECK(timercmp(&before, &after, <), "time goes on");
    struct timespec ts;
    CHECK(ctn_model_clock_gettime(CLOCK_MONOTONIC, &ts) == 0 && ts.tv_nsec < 1000000000, "ok");
    CHECK(ctn_model_clock_gettime(12345, &ts) == -1, "unknown clock");
    CHECK(ctn_model_timespec_get(&ts, TIME_UTC) == TIME_UTC && ctn_model_timespec_get(&ts, 77) == 0, "C11");
    clock_t c = ctn_model_clock();
    CHECK(ctn_model_clock() > c, "processor time goes on");
}

static void check_random(void)
{
    ctn_model_srand(7);
    int a = ctn_model_rand(), b = ctn_model_rand();
    ctn_model_srand(7);
    CHECK(a != b && ctn_model_rand() == a, "the seed decides");
    next_bits = (unsigned)b ^ 42u;
    CHECK(ctn_model_rand() == 42, "the slot reaches any value");
    unsigned seed = 3;
    for (int i = 0; i < 1000; i++) CHECK(ctn_model_rand() >= 0 && ctn_model_rand_r(&seed) >= 0, "not negative");
    double d = ctn_model_drand48();
    CHECK(d >= 0 && d < 1, "unit interval");
}

void check_inputs(void)
{
    check_environment();
    check_clocks();
    check_random();
}
