/* Calls that end the program: what instrumented code reaches instead of the C library's. Each becomes the
 * ending of the execution that the explorer reads, with the text a person wants to see. */
#define _GNU_SOURCE
#include "cold.h"
#include "host.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

/* Inside the call, not after it: what follows may be another line, or another function. */
#define PC() ((uint64_t)__builtin_return_address(0) - 1)

/* --- leaving ---------------------------------------------------------------------------------------------- */

__attribute__((noreturn)) void ctn_exit(int code) { rt_end(CTN_END_EXITED, code, 0, 0, PC(), 0); }
__attribute__((noreturn)) void ctn_abort(void) { rt_end(CTN_END_ABORTED, 0, 0, 0, PC(), 0); }

__attribute__((noreturn)) void ctn_assert_fail(const char *expression, const char *file, unsigned line,
                                               const char *function)
{
    host_text(file);
    host_text(":");
    host_text_number(line);
    host_text(": ");
    if (function) {
        host_text(function);
        host_text(": ");
    }
    host_text("assertion `");
    host_text(expression);
    host_text("' failed");
    rt_end(CTN_END_ASSERT_FAILED, (int32_t)line, 0, 0, PC(), 0);
}

__attribute__((noreturn)) void ctn_assert(const char *expression, const char *file, int line)
{
    ctn_assert_fail(expression, file, (unsigned)line, 0);
}

__attribute__((noreturn)) void ctn_assert_perror_fail(int error, const char *file, unsigned line,
                                                      const char *function)
{
    (void)error;
    ctn_assert_fail("no error", file, line, function);
}

/* The message is a format whose arguments may be anything: only the format is kept. */
__attribute__((noreturn)) void ctn_err(int code, const char *format, ...)
{
    if (format)
        host_text(format);
    rt_end(CTN_END_EXITED, code, 0, 0, PC(), 0);
}

__attribute__((noreturn)) void ctn_verr(int code, const char *format, va_list arguments)
{
    (void)arguments;
    if (format)
        host_text(format);
    rt_end(CTN_END_EXITED, code, 0, 0, PC(), 0);
}

/* error(3) leaves only with a status; without one it prints and goes on. */
void ctn_error(int code, int number, const char *format, ...)
{
    (void)number;
    if (!code)
        return;
    if (format)
        host_text(format);
    rt_end(CTN_END_EXITED, code, 0, 0, PC(), 0);
}

__attribute__((noreturn)) void ctn_stack_chk_fail(void)
{
    host_text("the stack protector found an overwritten canary");
    rt_end(CTN_END_VIOLATION, CTN_CLASS_OUT_OF_BOUNDS, 0, 0, PC(), 0);
}

__attribute__((noreturn)) void ctn_chk_fail(void)
{
    host_text("a fortified function found a buffer overflow");
    rt_end(CTN_END_VIOLATION, CTN_CLASS_OUT_OF_BOUNDS, 0, 0, PC(), 0);
}

/* --- signals to oneself ------------------------------------------------------------------------------------- */

static int ignored_by_default(int signal)
{
    return signal == 0 || signal == SIGCHLD || signal == SIGURG || signal == SIGWINCH || signal == SIGCONT;
}

int ctn_raise(int signal)
{
    __ctn_ret[0] = 0;
    if (signal < 0 || signal > 64) {
        errno = EINVAL;
        return -1;
    }
    if (ignored_by_default(signal))
        return 0;
    rt_end(signal == SIGABRT ? CTN_END_ABORTED : CTN_END_RAISED_SIGNAL, signal, 0, 0, PC(), 0);
}

int ctn_kill(int process, int signal)
{
    __ctn_ret[0] = 0;
    if (process == getpid() || process == 0)
        return ctn_raise(signal);
    errno = EPERM;
    return -1;
}

/* --- longjmp -------------------------------------------------------------------------------------------------- */

/* glibc keeps the stack pointer of a jump buffer scrambled with a secret of the process. */
static uint64_t target_sp(const void *env)
{
    uint64_t guard, sp = ((const uint64_t *)env)[6];
    __asm__("movq %%fs:0x30, %0" : "=r"(guard));
    return ((sp >> 17) | (sp << 47)) ^ guard;
}

/* A buffer that no setjmp of this execution filled holds no address of a live frame. */
__attribute__((noreturn)) void ctn_longjmp(jmp_buf env, int value)
{
    uint32_t label = __ctn_args[1];
    uint64_t here = (uint64_t)__builtin_frame_address(0), there = target_sp(env);
    if (there < here || there > HOST_STACK_BASE + HOST_STACK_SIZE)
        rt_end(CTN_END_LONG_JUMP, value, 0, 0, PC(), (uint64_t)env);
    __ctn_foreign = 1; /* one of the frames in between may be a library's */
    /* The frames in between are gone: so are their redzones. */
    rt_unpoison((void *)here, there - here);
    __ctn_ret[0] = value ? label : 0;
    longjmp(env, value);
}
