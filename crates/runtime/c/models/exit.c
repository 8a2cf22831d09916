/* Leaving a program: exit calls what atexit was given, in the opposite order, and ends the execution. */
#include "../ctn.h"
#include "models.h"

#include <stdlib.h>
#include <unistd.h>

enum { HANDLERS_MAX = 32 };

static struct {
    void (*plain)(void);
    void (*with_status)(int status, void *context);
    void *context;
} handlers[HANDLERS_MAX];
static unsigned handler_count;

int ctn_model_atexit(void (*handler)(void))
{
    if (handler_count == HANDLERS_MAX) return -1;
    handlers[handler_count].with_status = NULL;
    handlers[handler_count++].plain = handler;
    return 0;
}

int ctn_model_on_exit(void (*handler)(int, void *), void *context)
{
    if (handler_count == HANDLERS_MAX) return -1;
    handlers[handler_count].context = context;
    handlers[handler_count++].with_status = handler;
    return 0;
}

static void call_handlers(int status)
{
    while (handler_count > 0) {
        handler_count--;
        if (handlers[handler_count].with_status != NULL)
            handlers[handler_count].with_status(status, handlers[handler_count].context);
        else
            handlers[handler_count].plain();
    }
}

void ctn_model_exit(int status) __attribute__((noreturn));

void ctn_model_exit(int status)
{
    call_handlers(status);
    _exit(status);
}

void ctn_leave_main(int status) { call_handlers(status); }
