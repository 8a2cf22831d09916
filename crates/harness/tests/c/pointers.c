/* What pointers point to. */
#include <dirent.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

struct opaque;
enum color { RED, GREEN, BLUE };

int sum(const int *values, unsigned n)
{
    return n ? values[0] : 0;
}

char *copy(char *to, const char *from)
{
    return to == from ? to : 0;
}

int bytes(void *data, uint8_t *octets, const unsigned char *text)
{
    return data && octets && text;
}

int pointers_to_pointers(char **words, int **rows, const char *const *names, void **handles)
{
    return words && rows && names && handles;
}

int arrays(int a[], int b[4], int c[][3], int (*d)[5], char e[8])
{
    return a[0] + b[0] + c[0][0] + (*d)[0] + e[0];
}

int of_the_library(FILE *f, DIR *d, struct tm *tm, pthread_mutex_t *lock, struct opaque *o)
{
    return f || d || tm || lock || o;
}

int others(_Bool *flags, enum color *colors, long double *reals, int *const fixed, int *restrict only)
{
    return flags && colors && reals && fixed && only;
}

struct opaque *pass(struct opaque *o)
{
    return o;
}

/* What is taken from a pool has room for all that callers make of it. */
extern void *take_from_pool(int pool);
struct connection { char name[200]; };

int connect(void)
{
    struct connection *connection = take_from_pool(1);
    short *small = take_from_pool(2);
    return connection && small ? connection->name[199] : *small;
}
