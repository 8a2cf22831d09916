/* The yardstick: a process that forks a child, which ends at once, and waits for it, again and again.
 * usage: fork_loop MILLISECONDS KILOBYTES
 * The kilobytes are memory that the process has written before, since fork copies what maps it. Prints the
 * number of forks, and the nanoseconds on the wall and of processor time, children included. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t wall(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ll + now.tv_nsec;
}

static int64_t processor(int who)
{
    struct rusage usage;
    getrusage(who, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000ll +
           (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000ll;
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    int64_t duration = atoll(argv[1]) * 1000000ll;
    size_t bytes = (size_t)atoll(argv[2]) << 10;
    if (bytes) {
        void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) return 1;
        madvise(memory, bytes, MADV_NOHUGEPAGE);
        memset(memory, 1, bytes);
    }
    long forks = 0;
    int64_t start = wall(), before = processor(RUSAGE_SELF) + processor(RUSAGE_CHILDREN), elapsed;
    do {
        pid_t child = fork();
        if (child < 0) return 1;
        if (child == 0) _exit(0);
        if (waitpid(child, NULL, 0) != child) return 1;
        forks++;
        elapsed = wall() - start;
    } while (elapsed < duration);
    int64_t used = processor(RUSAGE_SELF) + processor(RUSAGE_CHILDREN) - before;
    printf("%ld %lld %lld\n", forks, (long long)elapsed, (long long)used);
    return 0;
}
