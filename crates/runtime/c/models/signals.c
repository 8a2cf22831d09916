/* Models of the calls that prepare for signals. Handlers never run here, and the stack and the mask belong to the
 * runtime, which needs both: the calls succeed, and what they would have set is remembered. */
#include "models.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

static stack_t stack = {.ss_flags = SS_DISABLE};
static sigset_t mask;

int ctn_model_sigaltstack(const stack_t *wanted, stack_t *before)
{
    stack_t was = stack;
    if (wanted != NULL) {
        if (wanted->ss_flags & ~SS_DISABLE) {
            errno = EINVAL;
            return -1;
        }
        if (!(wanted->ss_flags & SS_DISABLE) && wanted->ss_size < 2048) {
            errno = ENOMEM;
            return -1;
        }
        stack = *wanted;
    }
    if (before != NULL) *before = was;
    return 0;
}

int ctn_model_sigprocmask(int how, const sigset_t *set, sigset_t *before)
{
    sigset_t was = mask;
    const unsigned long *more = (const void *)set;
    unsigned long *now = (void *)&mask;
    if (set != NULL) {
        if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) {
            errno = EINVAL;
            return -1;
        }
        for (size_t i = 0; i < sizeof mask / sizeof *now; i++)
            now[i] = how == SIG_BLOCK ? now[i] | more[i] : how == SIG_UNBLOCK ? now[i] & ~more[i] : more[i];
    }
    if (before != NULL) *before = was;
    return 0;
}

/* As above; errors are results. */
int ctn_model_pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
    return ctn_model_sigprocmask(how, set, before) == 0 ? 0 : EINVAL;
}
