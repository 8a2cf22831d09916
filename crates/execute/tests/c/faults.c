/* Units with real faults, for the native build under the sanitizers. */
#include "ctn.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ctn_fork(void);

static int number(void)
{
    int n;
    ctn_value(&n, 4, CTN_ROOT("n"));
    return n;
}

static void overflows(void)
{
    char *p = ctn_alloc(8);
    p[number()] = 1;
}

static void reads_null(void)
{
    int *p = number() ? 0 : malloc(4);
    *p = 1;
}

static void divides(void) { printf("%d", 7 / (number() - 1)); }
static void asserts(void) { assert(number() == 0); }
static void loops(void) { for (volatile int i = number(); i; i |= 1) ; }
static void assumes(void) { ctn_assume(number() == 0); }
static void leaves(void) { exit(number()); }
static int deep(volatile int n) { return n ? deep(n + 1) + 1 : 0; }
static void recurses(void) { exit(deep(number()) & 1); }
static void forks(void) { exit(ctn_fork()); }
static char *volatile kept;
static void eats_memory(void) { while (number() + 1) if ((kept = malloc(100 << 20))) memset(kept, 1, 100 << 20); }
static void fills(void) { unsigned char *p = malloc(10000); exit(p[0] + p[9999]); }

static void signals_parent(void)
{
    extern int kill(int, int), getppid(void);
    exit(kill(getppid(), 28 /* SIGWINCH: harmless if it got through */) == 0);
}

static const ctn_driver drivers[] = {
    {"overflows", overflows}, {"reads_null", reads_null}, {"divides", divides}, {"asserts", asserts},
    {"loops", loops}, {"assumes", assumes}, {"leaves", leaves}, {"recurses", recurses}, {"forks", forks},
    {"eats_memory", eats_memory}, {"fills", fills}, {"signals_parent", signals_parent},
};

__attribute__((constructor)) static void register_drivers(void)
{
    ctn_register_drivers(9, drivers, sizeof drivers / sizeof *drivers);
}
