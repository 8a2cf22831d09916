/* Memory at addresses that the source itself names, as embedded code names the registers of a device: on the machine
 * that runs the tests nothing is there. Pages of the lowest 4 GB, which nothing else in these processes uses; below
 * the first 64 KB the kernel allows none, and under AddressSanitizer its shadow lies in the upper half. An access
 * where no page could be made faults as it would without this. Part of exploration and of replay. */
#define _GNU_SOURCE
#include "ctn.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE       4096ul
#define FIRST      0x10000ul
#define LAST       0x100000000ul
#define LAST_ASAN  0x7fff8000ul
#define LARGEST    0x10000ul

extern void __asan_init(void) __attribute__((weak));

void ctn_device(unsigned long address, unsigned long size)
{
    unsigned long last = __asan_init ? LAST_ASAN : LAST;
    if (address < FIRST || size > LARGEST || address + size > last)
        return;
    unsigned long first = address & ~(PAGE - 1);
    int before = errno; /* the program's */
    unsigned long bytes = ((address + size + PAGE - 1) & ~(PAGE - 1)) - first;
    for (unsigned long at = first; at < first + bytes; at += PAGE) {
        void *page = mmap((void *)at, PAGE, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (page == MAP_FAILED && errno == EEXIST)
            memset((void *)at, 0, PAGE); /* it is there from an earlier execution, or for another register */
        else if (page != MAP_FAILED && page != (void *)at)
            munmap(page, PAGE); /* a kernel that takes the address for a hint */
    }
    errno = before;
}
