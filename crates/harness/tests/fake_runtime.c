/* Stands in for the runtime: every number is one, every pointer set, every choice the first. Runs all drivers. */
#include "ctn.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ctn_value(void *p, unsigned long size, const ctn_path *at)
{
    (void)at;
    memset(p, 0, size);
    *(char *)p = 1;
}

void ctn_array(void *p, unsigned long size, unsigned long count, const ctn_path *at)
{
    for (unsigned long i = 0; i < count; i++)
        ctn_value((char *)p + i * size, size, at);
}

unsigned long long ctn_bits(unsigned width, const ctn_path *at) { (void)at; return width > 0; }
unsigned ctn_choice(unsigned n, const ctn_path *at) { (void)n; (void)at; return 0; }
void *ctn_or_null(void *p, const ctn_path *at) { (void)at; return p; }
unsigned ctn_setting(const ctn_path *at) { (void)at; return 0; }
void *ctn_alloc(unsigned long size) { return calloc(1, size ? size : 1); }
unsigned ctn_count(unsigned n, const ctn_path *at) { (void)n; (void)at; return 0; }
void ctn_end_at(void *p, unsigned long size, unsigned long used) { (void)p; (void)size; (void)used; }
void ctn_assume(int condition) { (void)condition; }
void ctn_limit(int condition) { (void)condition; }
void ctn_stop(void) { exit(3); }
void ctn_device(unsigned long address, unsigned long size) { (void)address, (void)size; }
void *ctn_input_stream(unsigned long most, const ctn_path *at) { (void)most; (void)at; return tmpfile(); }

static const ctn_driver *drivers;
static unsigned driver_count;

void ctn_register_drivers(unsigned tu, const ctn_driver *table, unsigned count)
{
    (void)tu;
    drivers = table;
    driver_count = count;
}

int main(void)
{
    for (unsigned i = 0; i < driver_count; i++) {
        printf("%s\n", drivers[i].function);
        fflush(stdout);
        drivers[i].drive();
    }
    return 0;
}
