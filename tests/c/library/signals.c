/* A program that prepares for stack overflows, as GNU tools do: its own stack for handlers, in a large object of its
 * own. The code after it is tested like any other. */
/* EXPECT-FILE covered all */
/* EXPECT-FILE predicted */
#include <signal.h>
#include <string.h>

static char handler_stack[1 << 17];
static char buffer[1 << 17];

static void handler(int signal) { (void)signal; }

int prepares(int n)
{
    stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    sigset_t all;
    sigfillset(&all);
    if (sigaltstack(&stack, NULL) != 0) return -1; /* EXPECT covered false */
    if (sigprocmask(SIG_BLOCK, &all, NULL) != 0) return -2; /* EXPECT covered false */
    signal(SIGSEGV, handler);
    memset(buffer, 1, sizeof buffer);
    if (n == 1000) return buffer[n];
    return 0;
}
