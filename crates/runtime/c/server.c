/* The process that a session starts: maps the regions, applies the unit's modes, then serves executions by
 * forking workers until it is told to quit. It never runs tested code itself, except the program's own
 * constructors, which run before main. */
#define _GNU_SOURCE
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Address space for what libraries map for themselves. */
#define OWN_ROOM (1ull << 30)

RT_KEEP ctn_header *rt_header;
RT_KEEP_TABLE const rt_unit *rt_units[HOST_MAX_UNITS];
RT_KEEP unsigned rt_unit_count;
RT_KEEP void (*host_driver)(void);

typedef struct { unsigned tu, count; const ctn_driver *drivers; } driver_table;
RT_KEEP_TABLE static driver_table driver_tables[HOST_MAX_UNITS];
RT_KEEP static unsigned driver_table_count;
RT_KEEP static int started;
RT_KEEP static pid_t server;

/* --- start ------------------------------------------------------------------------------------------ */

void host_exit(int code)
{
    for (;;)
        host_call(SYS_exit_group, code, 0, 0, 0, 0);
}

void host_fail(const char *text, const char *detail)
{
    if (rt_header) {
        host_text(text);
        host_text(detail);
        host_set_state(CTN_STATE_FAILED);
    } else {
        static const char lead[] = "concertino runtime: ";
        (void)!write(2, lead, sizeof lead - 1);
        (void)!write(2, text, strlen(text));
        (void)!write(2, detail, strlen(detail));
        (void)!write(2, "\n", 1);
    }
    host_exit(2);
}

void host_start(void)
{
    if (started)
        return;
    started = 1;
    struct stat file;
    if (fstat(CTN_SHM_FD, &file) != 0)
        host_fail("this program is run by concertino, not by hand", "");
    void *at = mmap((void *)CTN_SHM_BASE, (size_t)file.st_size, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_FIXED_NOREPLACE, CTN_SHM_FD, 0);
    if (at != (void *)CTN_SHM_BASE)
        host_fail("cannot map the shared memory", "");
    rt_header = at;
    if (rt_header->magic != CTN_MAGIC)
        host_fail("the shared memory is not of this version", "");
    rt_header->server_pid = getpid();
    rt_shadow_start();
    rt_labels_start();
    rt_arena_start();
    host_input_start();
}

/* Before the constructors of all libraries: instrumented constructors need the shadow. */
__attribute__((section(".preinit_array"), used)) static void (*const start_early)(void) = host_start;

void __ctn_register_unit(const rt_unit *unit)
{
    if (rt_unit_count == HOST_MAX_UNITS)
        host_fail("too many translation units in one image", "");
    rt_units[rt_unit_count++] = unit;
}

void ctn_register_drivers(unsigned tu, const ctn_driver *drivers, unsigned count)
{
    if (driver_table_count == HOST_MAX_UNITS)
        host_fail("too many translation units in one image", "");
    driver_tables[driver_table_count++] = (driver_table){tu, count, drivers};
}

static void find_driver(void)
{
    for (unsigned i = 0; i < driver_table_count; i++) {
        const driver_table *table = &driver_tables[i];
        if (table->tu == rt_header->driver_tu && rt_header->driver_index < table->count) {
            host_driver = table->drivers[rt_header->driver_index].drive;
            return;
        }
    }
    if (driver_table_count)
        host_fail("the image has no such driver", "");
    host_fail("no harness of the image registered its drivers", " (are the constructors linked in?)");
}

static void apply_modes(void)
{
    for (unsigned u = 0; u < rt_unit_count; u++)
        memset(rt_units[u]->modes, (int)rt_header->default_mode, rt_units[u]->function_count);
    const ctn_mode_entry *entries = (const void *)(CTN_SHM_BASE + rt_header->modes_offset);
    uint32_t count = rt_header->mode_count;
    if (count > rt_header->modes_size / sizeof *entries)
        host_fail("more modes than their region holds", "");
    /* Entries of one translation unit stand together as a rule: remember the last one. */
    const rt_unit *unit = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!unit || unit->tu != entries[i].tu) {
            unit = 0;
            for (unsigned u = 0; u < rt_unit_count && !unit; u++)
                if (rt_units[u]->tu == entries[i].tu)
                    unit = rt_units[u];
        }
        if (!unit || entries[i].function >= unit->function_count)
            host_fail("a mode names a function that the image does not have", "");
        unit->modes[entries[i].function] = (uint8_t)entries[i].mode;
    }
}

static int first_module(struct dl_phdr_info *info, size_t size, void *base)
{
    (void)size;
    *(uint64_t *)base = info->dlpi_addr;
    return 1;
}

/* Everything that the runtime needs is mapped: what the code maps beyond counts against the heap's limit. */
static void limit_memory(void)
{
    char text[32] = {0};
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    uint64_t pages = 0;
    for (ssize_t i = 0; i < n && text[i] >= '0' && text[i] <= '9'; i++)
        pages = pages * 10 + (uint64_t)(text[i] - '0');
    if (!pages)
        return;
    uint64_t bytes = pages * 4096 + rt_header->heap_limit + OWN_ROOM;
    struct rlimit limit = {bytes, bytes};
    syscall(SYS_prlimit64, 0, RLIMIT_AS, &limit, 0, CTN_CALL_MAGIC);
}

/* --- the state word ---------------------------------------------------------------------------------- */

/* Spinning saves both sides a sleep where the other one runs on another processor; on a busy machine it takes
 * the processor from the one that is waited for. What paid lately is done again, else it is tried now and then. */
#define SPINS     256
#define CREDIT    8
#define TRY_EVERY 32

void host_wait_while(uint32_t state, host_patience *patience)
{
    volatile uint32_t *word = &rt_header->state;
    if (*word != state)
        return;
    if (patience->credit || ++patience->waits % TRY_EVERY == 0) {
        for (int spin = 0; spin < SPINS; spin++) {
            if (*word != state) {
                patience->credit = CREDIT;
                return;
            }
            __builtin_ia32_pause();
        }
        patience->credit -= patience->credit > 0;
    }
    __atomic_store_n(&rt_header->runtime_sleeps, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(word, __ATOMIC_SEQ_CST) == state)
        host_call(SYS_futex, (long)word, FUTEX_WAIT, state, 0, 0);
    rt_header->runtime_sleeps = 0;
}

void host_set_state(uint32_t state)
{
    __atomic_store_n(&rt_header->state, state, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&rt_header->explorer_sleeps, __ATOMIC_SEQ_CST))
        host_call(SYS_futex, (long)&rt_header->state, FUTEX_WAKE, 1 << 30, 0, 0);
}

/* --- serving ------------------------------------------------------------------------------------------ */

/* How a worker that said nothing came to its end. */
static void end_from_status(int status)
{
    if (WIFEXITED(status)) {
        rt_header->end = CTN_END_EXITED;
        rt_header->end_value = WEXITSTATUS(status);
        return;
    }
    int signal = WTERMSIG(status);
    rt_header->end_value = signal;
    rt_header->end = signal == SIGKILL   ? CTN_END_KILLED
                     : signal == SIGSEGV ? CTN_END_SEGFAULT
                     : signal == SIGABRT ? CTN_END_ABORTED
                     : signal == SIGFPE  ? CTN_END_ARITHMETIC_TRAP
                     : signal == SIGXCPU ? CTN_END_TIMEOUT
                     : signal == SIGXFSZ ? CTN_END_OUTPUT_LIMIT
                     : signal == SIGSYS  ? CTN_END_FORBIDDEN
                                         : CTN_END_OTHER_SIGNAL;
}

/* The sandbox lets this process fork only with the magic number in an argument the kernel ignores. */
static pid_t fork_worker(void)
{
    return (pid_t)host_call(SYS_clone, SIGCHLD, 0, (long)CTN_CALL_MAGIC, 0, 0);
}

static void tie_to_server(void)
{
    host_call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (host_call(SYS_getppid, 0, 0, 0, 0, 0) != server)
        host_exit(0);
}

static void work_once(void)
{
    tie_to_server();
    host_worker_once();
}

static void serve(void)
{
    pid_t worker = rt_header->flags & CTN_FLAG_FORK ? host_fork_onto(work_once) : fork_worker();
    if (worker < 0)
        host_fail("cannot fork a worker", "");
    if (worker == 0) {
        tie_to_server();
        /* Its first execution may be over before the server goes on. */
        rt_header->worker_pid = (int32_t)host_call(SYS_getpid, 0, 0, 0, 0, 0);
        host_worker_loop();
    }
    rt_header->worker_pid = worker;
    int status = 0;
    while (host_call(SYS_wait4, worker, (long)&status, 0, 0, 0) != worker)
        ;
    rt_header->worker_pid = 0;
    /* A persistent worker is only missed if it was at work. */
    if (__atomic_load_n(&rt_header->state, __ATOMIC_ACQUIRE) == CTN_STATE_RUN) {
        if (rt_header->end == 0)
            end_from_status(status);
        host_set_state(CTN_STATE_DONE);
    }
}

int main(void)
{
    host_start();
    find_driver();
    apply_modes();
    dl_iterate_phdr(first_module, &rt_header->image_base);
    host_stack_start(rt_header->flags & CTN_FLAG_FORK);
    host_arena_mark();
    rt_shadow_keep();
    /* Constructors may have left them. */
    memset(__ctn_args, 0, sizeof __ctn_args);
    memset(__ctn_ret, 0, sizeof __ctn_ret);
    errno = 0;
    if (rt_header->flags & CTN_FLAG_FORK)
        close(CTN_SHM_FD); /* a fork copies the table of descriptors as far as the highest one */
    else
        host_snapshot_take();
    limit_memory();
    /* Inherited by the workers, which therefore need not do it. */
    host_signals_start();
    errno = 0;
    server = getpid();
    host_patience patience = {0}; /* here, and not among the variables, which would be copied after every fork */
    host_set_state(CTN_STATE_IDLE);
    for (;;) {
        host_wait_while(CTN_STATE_IDLE, &patience);
        host_wait_while(CTN_STATE_DONE, &patience);
        uint32_t state = __atomic_load_n(&rt_header->state, __ATOMIC_ACQUIRE);
        if (state == CTN_STATE_QUIT)
            host_exit(0);
        if (state == CTN_STATE_RUN)
            serve();
    }
}
