/* Sends signals to itself and to others. */
#include <signal.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

int raises(int x) /* EXPECT end raised-signal */
{
    if (x == 5) raise(SIGTERM);
    return 0;
}

int kills_itself(int x) /* EXPECT end raised-signal or forbidden or killed */
{
    if (x == 5) kill(getpid(), SIGKILL);
    return 0;
}

int kills_parent(int x) /* EXPECT end raised-signal or forbidden or returned */
{
    if (x == 5) return kill(getppid(), SIGKILL);
    return 0;
}

int stops(int x) /* EXPECT end raised-signal or forbidden or timeout */
{
    if (x == 5) raise(SIGSTOP);
    return 0;
}

static volatile sig_atomic_t handled;
static void note(int signal) { handled = signal; }

/* A program that handles its own signals goes on. */
int handles(int x) /* EXPECT end returned or raised-signal or forbidden */
{
    if (x != 5) return 0;
    signal(SIGUSR1, note);
    raise(SIGUSR1);
    return handled == SIGUSR1 ? 1 : 2;
}

/* A handler for faults does not hide the fault. */
int hides_faults(int x)
{
    volatile int *p = NULL;
    if (x != 5) return 0;
    signal(SIGSEGV, SIG_IGN);
    return *p; /* EXPECT alarm null-dereference where x = 5 */
}
