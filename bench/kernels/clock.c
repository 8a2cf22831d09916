/* Runs a kernel's main and prints the processor time that it took, after what the kernel printed. Compiled
 * plainly for both builds: in the instrumented one clocks are inputs. */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

static int64_t processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000ll + now.tv_nsec;
}

int bench_timed(int (*kernel)(int, char **))
{
    char name[] = "kernel", *arguments[] = {name, NULL};
    int64_t start = processor_time();
    int result = kernel(1, arguments);
    int64_t used = processor_time() - start;
    printf("%d %lld\n", result, (long long)used);
    fflush(stdout);
    return result;
}

#ifdef NATIVE
int kernel_main(int argc, char **argv);

int main(void) { return bench_timed(kernel_main); }
#endif
