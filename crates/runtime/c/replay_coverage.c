/* Beside replay.c in a build that measures coverage: the counters are written whatever way the execution ends,
 * by a return, an exit of any kind, a fault or the end of its time (CTN_TIME_MS). The profile's file is named by
 * LLVM_PROFILE_FILE. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

int __llvm_profile_write_file(void);

static char stack[65536]; /* of the handler: the program's own may be what is full */

static __attribute__((noreturn)) void end(int status)
{
    static volatile sig_atomic_t ending;
    if (!ending) {
        ending = 1;
        __llvm_profile_write_file();
    }
    for (;;)
        syscall(SYS_exit_group, status);
}

/* The C library's own exit does not come here; it runs the handler that writes the profile. */
void _exit(int status) { end(status); }
void _Exit(int status) { end(status); }

static void on_signal(int signal) { end(128 + signal); }

__attribute__((constructor)) static void watch(void)
{
    static const int watched[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGTERM, SIGALRM};
    const char *time = getenv("CTN_TIME_MS");
    stack_t handler_stack = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK | SA_NODEFER};
    sigaltstack(&handler_stack, 0);
    for (unsigned i = 0; i < sizeof watched / sizeof *watched; i++)
        sigaction(watched[i], &action, 0);
    if (time) {
        long limit = atol(time);
        setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {limit / 1000, limit % 1000 * 1000}}, 0);
    }
}
