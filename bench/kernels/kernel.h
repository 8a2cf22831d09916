/* What the kernels share: a repeat count from the command line, a deterministic source of bytes, and the
 * line that a run prints. The same checksum from the native and the instrumented build means that both
 * computed the same; the time is taken outside. */
#ifndef KERNEL_H
#define KERNEL_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t kernel_state = 0x853c49e6748fea9bu;

static inline uint32_t kernel_random(void)
{
    kernel_state = kernel_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(kernel_state >> 33);
}

static inline uint64_t kernel_mix(uint64_t sum, uint64_t value)
{
    sum ^= value + 0x9e3779b97f4a7c15u + (sum << 6) + (sum >> 2);
    return sum;
}

/* How often the kernel's work is repeated: the first argument, or the given default. */
static inline unsigned kernel_repeats(int argc, char **argv, unsigned usual)
{
    return argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : usual;
}

static inline int kernel_done(const char *name, uint64_t sum)
{
    printf("%s %016llx\n", name, (unsigned long long)sum);
    return 0;
}

#endif
