/* Loaded into the commands of `concertino profile`: where one starts an executable of the project, the build that
 * records calls is started in its place. CTN_PROFILE_MAP names a file of lines `name-or-path TAB replacement`; a
 * name fits every ELF file of that name (libtool's `lt-` does not count), a path fits itself. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static int is_elf(const char *path)
{
    char head[4] = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, head, 4);
    if (fd >= 0)
        close(fd);
    return n == 4 && memcmp(head, "\177ELF", 4) == 0;
}

/* The replacement of an executable, or the path itself. `room` holds PATH_MAX bytes. */
static const char *replaced(const char *path, char *room)
{
    const char *map = getenv("CTN_PROFILE_MAP");
    char real[PATH_MAX], line[3 * PATH_MAX];
    if (!map || !path || !realpath(path, real) || !is_elf(real))
        return path;
    const char *slash = strrchr(real, '/');
    const char *name = slash ? slash + 1 : real;
    if (strncmp(name, "lt-", 3) == 0)
        name += 3;
    FILE *lines = fopen(map, "re");
    if (!lines)
        return path;
    while (fgets(line, sizeof line, lines)) {
        char *tab = strchr(line, '\t'), *end = strchr(line, '\n');
        if (!tab || !end)
            continue;
        *tab = *end = 0;
        if (strcmp(line, line[0] == '/' ? real : name) == 0 && strlen(tab + 1) < PATH_MAX) {
            strcpy(room, tab + 1);
            path = room;
            break;
        }
    }
    fclose(lines);
    return path;
}

/* What a name without a slash means, as execvp finds it. */
static const char *searched(const char *name, char *room)
{
    const char *path = getenv("PATH");
    if (!name || strchr(name, '/') || !path)
        return name;
    while (*path) {
        size_t length = strcspn(path, ":");
        if (snprintf(room, PATH_MAX, "%.*s%s%s", (int)length, path, length ? "/" : "", name) < PATH_MAX && access(room, X_OK) == 0)
            return room;
        path += length + (path[length] == ':');
    }
    return name;
}

typedef int (*exec_function)(const char *, char *const[], char *const[]);
typedef int (*spawn_function)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[], char *const[]);

static int real_exec(const char *path, char *const argv[], char *const envp[])
{
    exec_function next = (exec_function)dlsym(RTLD_NEXT, "execve");
    return next(path, argv, envp);
}

int execve(const char *path, char *const argv[], char *const envp[])
{
    char room[PATH_MAX];
    return real_exec(replaced(path, room), argv, envp);
}

int execv(const char *path, char *const argv[]) { return execve(path, argv, environ); }

int execvpe(const char *name, char *const argv[], char *const envp[])
{
    char found[PATH_MAX], room[PATH_MAX];
    const char *path = searched(name, found), *other = replaced(path, room);
    if (other != path)
        return real_exec(other, argv, envp);
    exec_function next = (exec_function)dlsym(RTLD_NEXT, "execvpe"); /* scripts without #! and the like */
    return next(name, argv, envp);
}

int execvp(const char *name, char *const argv[]) { return execvpe(name, argv, environ); }

#define ARGUMENTS 1024
static void collect(char **argv, const char *first, va_list *rest)
{
    unsigned count = 0;
    argv[count++] = (char *)first;
    while (argv[count - 1] && count < ARGUMENTS)
        argv[count++] = va_arg(*rest, char *);
    argv[ARGUMENTS - 1] = 0;
}

int execl(const char *path, const char *first, ...)
{
    char *argv[ARGUMENTS];
    va_list rest;
    va_start(rest, first);
    collect(argv, first, &rest);
    va_end(rest);
    return execve(path, argv, environ);
}

int execlp(const char *name, const char *first, ...)
{
    char *argv[ARGUMENTS];
    va_list rest;
    va_start(rest, first);
    collect(argv, first, &rest);
    va_end(rest);
    return execvpe(name, argv, environ);
}

int execle(const char *path, const char *first, ...)
{
    char *argv[ARGUMENTS];
    va_list rest;
    va_start(rest, first);
    collect(argv, first, &rest);
    char **envp = va_arg(rest, char **);
    va_end(rest);
    return execve(path, argv, envp);
}

int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
    char room[PATH_MAX];
    spawn_function next = (spawn_function)dlsym(RTLD_NEXT, "posix_spawn");
    return next(pid, replaced(path, room), actions, attributes, argv, envp);
}

int posix_spawnp(pid_t *pid, const char *name, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
    char found[PATH_MAX], room[PATH_MAX];
    const char *path = searched(name, found), *other = replaced(path, room);
    if (other != path)
        return posix_spawn(pid, other, actions, attributes, argv, envp);
    spawn_function next = (spawn_function)dlsym(RTLD_NEXT, "posix_spawnp");
    return next(pid, name, actions, attributes, argv, envp);
}
