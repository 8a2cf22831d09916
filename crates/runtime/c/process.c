/* Calls that reach beyond the process or that a reset cannot undo. Processes and programs are not started:
 * the results are inputs of the unit. Threads run to their end when they are created: one possible schedule,
 * the same every time. Sleeping takes no time; handlers and timers are accepted and never fire. */
#define _GNU_SOURCE
#include "cold.h"
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* Inside the call, not after it: what follows may be another line, or another function. */
#define PC() ((uint64_t)__builtin_return_address(0) - 1)

/* --- processes ------------------------------------------------------------------------------------------------- */

/* A result of at least -1, whatever the explorer wants. */
static int32_t result(const char *slot)
{
    uint32_t label;
    int32_t value = (int32_t)host_input_word(slot, &label);
    if (label) {
        uint32_t legal = rt_node(CTN_OP_SLE, 0, 1, 0, label, 32, 0xffffffffu, 0);
        if (legal)
            rt_log(CTN_LOG_ASSUME, CTN_ASSUMED_FACT, 0, 0, legal, value >= -1);
    }
    if (value < -1)
        rt_end(CTN_END_ASSUMPTION_FAILED, 0, 0, 0, 0, 0);
    __ctn_ret[0] = label;
    return value;
}

int32_t ctn_fork(void) { return result("fork()"); }
int32_t ctn_vfork(void) { return result("vfork()"); }
int32_t ctn_system(const char *command) { return (void)command, result("system()"); }

/* When these succeed the program is gone; what is left to test is their failure. */
int ctn_exec_path(const char *path, ...)
{
    (void)path;
    __ctn_ret[0] = 0;
    errno = EACCES;
    return -1;
}

void *ctn_popen(const char *command, const char *mode)
{
    (void)command, (void)mode;
    __ctn_ret[0] = 0;
    errno = EAGAIN;
    return 0;
}

int32_t ctn_wait(int *status)
{
    __ctn_ret[0] = 0;
    if (status) {
        *status = 0;
        rt_unpoison(status, sizeof *status);
    }
    errno = ECHILD;
    return -1;
}

int32_t ctn_waitpid(int32_t process, int *status, int options)
{
    (void)process, (void)options;
    return ctn_wait(status);
}

/* --- handlers, timers, sleep ------------------------------------------------------------------------------------- */

void *ctn_signal(int signal, void *handler)
{
    (void)signal, (void)handler;
    __ctn_ret[0] = 0;
    return 0;
}

int ctn_sigaction(int signal, const struct sigaction *action, struct sigaction *old)
{
    (void)signal, (void)action;
    __ctn_ret[0] = 0;
    if (old) {
        *old = (struct sigaction){0};
        rt_unpoison(old, sizeof *old);
    }
    return 0;
}

unsigned ctn_alarm(unsigned seconds) { return (void)seconds, __ctn_ret[0] = 0; }
unsigned ctn_sleep(unsigned seconds) { return (void)seconds, __ctn_ret[0] = 0; }
int ctn_usleep(unsigned microseconds) { return (void)microseconds, __ctn_ret[0] = 0, 0; }

int ctn_setitimer(int which, const struct itimerval *value, struct itimerval *old)
{
    (void)which, (void)value;
    __ctn_ret[0] = 0;
    if (old) {
        *old = (struct itimerval){0};
        rt_unpoison(old, sizeof *old);
    }
    return 0;
}

int ctn_nanosleep(const struct timespec *time, struct timespec *rest)
{
    (void)time, (void)rest;
    return __ctn_ret[0] = 0, 0;
}

int ctn_pause(void)
{
    __ctn_ret[0] = 0;
    errno = EINTR;
    return -1;
}

/* --- what a reset cannot undo --------------------------------------------------------------------------------------- */

static void unsafe(void) { rt_header->notes |= CTN_NOTE_UNSAFE_TO_RESET; }

void *ctn_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    unsafe();
    __ctn_ret[0] = 0;
    void *p = mmap(at, size, protection, flags, fd, offset);
    if (p != MAP_FAILED && (flags & MAP_FIXED))
        rt_unpoison(p, size);
    return p;
}

int ctn_munmap(void *at, size_t size)
{
    unsafe();
    __ctn_ret[0] = 0;
    return munmap(at, size);
}

int ctn_mprotect(void *at, size_t size, int protection)
{
    unsafe();
    __ctn_ret[0] = 0;
    return mprotect(at, size, protection);
}

void *ctn_sbrk(intptr_t by)
{
    unsafe();
    __ctn_ret[0] = 0;
    return sbrk(by);
}

int ctn_brk(void *to)
{
    unsafe();
    __ctn_ret[0] = 0;
    return brk(to);
}

int ctn_chdir(const char *path)
{
    unsafe();
    __ctn_ret[0] = 0;
    return chdir(path);
}

/* --- threads ---------------------------------------------------------------------------------------------------------- */

#define MAX_THREADS 1024
#define MAX_WAITS   64

typedef struct { void *result; void *way_out[5]; } thread;
RT_KEEP_TABLE static thread threads[MAX_THREADS]; /* too many to be restored each time: set when given out */
static unsigned thread_count, waits;
static thread *current;

static __attribute__((noinline)) void run_thread(thread *t, void *(*start)(void *), void *argument)
{
    thread *outer = current;
    current = t;
    if (__builtin_setjmp(t->way_out) == 0)
        t->result = start(argument);
    current = outer;
}

int ctn_pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    (void)attributes;
    uint32_t label = __ctn_args[3];
    __ctn_ret[0] = 0;
    if (thread_count == MAX_THREADS)
        return EAGAIN;
    thread *t = &threads[thread_count++];
    t->result = 0;
    __ctn_foreign = 1; /* not seen when it starts in a library, or is left by pthread_exit */
    *handle = (pthread_t)thread_count;
    rt_unpoison(handle, sizeof *handle);
    __ctn_args[0] = label;
    run_thread(t, start, argument);
    __ctn_ret[0] = 0;
    return 0;
}

__attribute__((noreturn)) void ctn_pthread_exit(void *value)
{
    if (!current)
        rt_end(CTN_END_EXITED, 0, 0, 0, PC(), 0);
    current->result = value;
    __builtin_longjmp(current->way_out, 1);
}

int ctn_pthread_join(pthread_t handle, void **value)
{
    __ctn_ret[0] = 0;
    if (handle < 1 || handle > thread_count)
        return ESRCH;
    if (value) {
        *value = threads[handle - 1].result;
        rt_unpoison(value, sizeof *value);
    }
    return 0;
}

int ctn_pthread_detach(pthread_t handle)
{
    __ctn_ret[0] = 0;
    return handle < 1 || handle > thread_count ? ESRCH : 0;
}

/* Waking without a reason is allowed, but with nobody else running a loop around it never ends. */
static int wait_for_others(void)
{
    __ctn_ret[0] = 0;
    if (++waits > MAX_WAITS) {
        host_text("waits for another thread");
        rt_end(CTN_END_FORBIDDEN, 0, 0, 0, PC(), 0);
    }
    return 0;
}

int ctn_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    (void)condition, (void)mutex;
    return wait_for_others();
}

int ctn_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time)
{
    (void)condition, (void)mutex, (void)time;
    wait_for_others();
    return ETIMEDOUT;
}

int ctn_sem_wait(sem_t *semaphore)
{
    __ctn_ret[0] = 0;
    if (sem_trywait(semaphore) == 0)
        return 0;
    return wait_for_others();
}

/* --- after an execution --------------------------------------------------------------------------------------------------- */

RT_KEEP uint8_t __ctn_foreign;

/* One call tells whether the standard descriptors are open and the next ones are not; numbers are given out
 * from the lowest, so that one beyond them is left open only by code that closes out of order: the full round
 * is made from time to time. */
#define LOOKED_AT 8
#define FULL_ROUND 256

void host_process_reset(void)
{
    RT_KEEP static unsigned resets;
    struct pollfd looked_at[LOOKED_AT];
    for (int fd = 0; fd < LOOKED_AT; fd++)
        looked_at[fd] = (struct pollfd){.fd = fd};
    host_call(SYS_poll, (long)looked_at, LOOKED_AT, 0, 0, 0);
    int opened = ++resets % FULL_ROUND == 0;
    for (int fd = 3; fd < LOOKED_AT; fd++)
        opened |= !(looked_at[fd].revents & POLLNVAL);
    for (int fd = 0; fd < 3; fd++)
        if (looked_at[fd].revents & POLLNVAL)
            host_call(SYS_open, (long)"/dev/null", O_RDWR, 0, 0, 0); /* the lowest free number is fd */
    if (opened) {
        host_call(SYS_close_range, 3, CTN_SHM_FD - 1, 0, 0, 0);
        host_call(SYS_close_range, CTN_SHM_FD + 1, ~0u, 0, 0, 0);
    }
}
