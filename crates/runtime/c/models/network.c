/* Models of sockets. Whether a call fails, and how, is an input; what a socket receives is one too, asked for when the
 * program first reads from it: slots such as connect() and socket[0][]. What is sent is gone.
 * Limits: SOCKETS sockets of at most RECEIVED bytes; addresses are zero; one thread. */
#define _GNU_SOURCE
#include "../ctn.h"
#include "files.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>

enum { SOCKETS = 8, RECEIVED = 64, MEMBERS_MAX = 64 };

static const char *const slots[SOCKETS] = {"socket[0]", "socket[1]", "socket[2]", "socket[3]",
                                           "socket[4]", "socket[5]", "socket[6]", "socket[7]"};
static unsigned socket_count;

/* 0, or -1 and why. */
static int outcome(const char *slot)
{
    static const int errors[] = {0, EACCES, EINTR, EAGAIN, EINPROGRESS};
    unsigned error = ctn_choice(sizeof errors / sizeof errors[0], CTN_ROOT(slot));
    if (error == 0) return 0;
    errno = errors[error];
    return -1;
}

static int new_socket(void)
{
    if (socket_count < SOCKETS) return ctn_input_descriptor(slots[socket_count++], RECEIVED);
    errno = EMFILE;
    return -1;
}

static void no_address(struct sockaddr *address, socklen_t *length)
{
    if (address == NULL || length == NULL) return;
    socklen_t room = *length < sizeof(struct sockaddr_in) ? *length : sizeof(struct sockaddr_in);
    memset(address, 0, room);
    *length = sizeof(struct sockaddr_in);
}

int ctn_model_socket(int domain, int type, int protocol)
{
    (void)domain, (void)type, (void)protocol;
    return outcome("socket()") != 0 ? -1 : new_socket();
}

int ctn_model_accept(int fd, struct sockaddr *address, socklen_t *length)
{
    (void)fd;
    if (outcome("accept()") != 0) return -1;
    no_address(address, length);
    return new_socket();
}

int ctn_model_accept4(int fd, struct sockaddr *address, socklen_t *length, int flags)
{
    (void)flags;
    return ctn_model_accept(fd, address, length);
}

int ctn_model_connect(int fd, const struct sockaddr *address, socklen_t length)
{
    (void)fd, (void)address, (void)length;
    return outcome("connect()");
}

int ctn_model_bind(int fd, const struct sockaddr *address, socklen_t length)
{
    (void)fd, (void)address, (void)length;
    return outcome("bind()");
}

int ctn_model_listen(int fd, int backlog)
{
    (void)fd, (void)backlog;
    return outcome("listen()");
}

int ctn_model_shutdown(int fd, int how)
{
    (void)fd, (void)how;
    return outcome("shutdown()");
}

int ctn_model_setsockopt(int fd, int level, int name, const void *value, socklen_t length)
{
    (void)fd, (void)level, (void)name, (void)value, (void)length;
    return outcome("setsockopt()");
}

int ctn_model_getsockopt(int fd, int level, int name, void *value, socklen_t *length)
{
    (void)fd, (void)level, (void)name;
    int number = (int)ctn_bits(32, CTN_ROOT("getsockopt()->value"));
    if (outcome("getsockopt()") != 0) return -1;
    if (*length > sizeof number) *length = sizeof number;
    memcpy(value, &number, *length);
    return 0;
}

int ctn_model_getsockname(int fd, struct sockaddr *address, socklen_t *length)
{
    (void)fd;
    no_address(address, length);
    return outcome("getsockname()");
}

/* --- what is sent and received ------------------------------------------------------------------------------- */

/* The library would read all of it. */
static void look_at(const volatile char *from, size_t n)
{
    if (n > 0) (void)from[0], (void)from[n - 1];
}

ssize_t ctn_model_send(int fd, const void *from, size_t n, int flags)
{
    (void)fd, (void)flags;
    look_at(from, n);
    return outcome("send()") != 0 ? -1 : (ssize_t)n;
}

ssize_t ctn_model_sendto(int fd, const void *from, size_t n, int flags, const struct sockaddr *to, socklen_t length)
{
    (void)to, (void)length;
    return ctn_model_send(fd, from, n, flags);
}

ssize_t ctn_model_sendmsg(int fd, const struct msghdr *message, int flags)
{
    (void)fd, (void)flags;
    size_t n = 0;
    for (size_t i = 0; i < message->msg_iovlen; i++) {
        look_at(message->msg_iov[i].iov_base, message->msg_iov[i].iov_len);
        n += message->msg_iov[i].iov_len;
    }
    return outcome("send()") != 0 ? -1 : (ssize_t)n;
}

ssize_t ctn_model_recv(int fd, void *to, size_t n, int flags)
{
    (void)flags;
    return outcome("recv()") != 0 ? -1 : ctn_model_read(fd, to, n);
}

ssize_t ctn_model_recvfrom(int fd, void *to, size_t n, int flags, struct sockaddr *from, socklen_t *length)
{
    no_address(from, length);
    return ctn_model_recv(fd, to, n, flags);
}

ssize_t ctn_model_recvmsg(int fd, struct msghdr *message, int flags)
{
    (void)flags;
    ssize_t all = 0;
    if (outcome("recv()") != 0) return -1;
    for (size_t i = 0; i < message->msg_iovlen; i++) {
        ssize_t n = ctn_model_read(fd, message->msg_iov[i].iov_base, message->msg_iov[i].iov_len);
        if (n < 0) return n;
        all += n;
    }
    message->msg_controllen = 0;
    message->msg_flags = 0;
    return all;
}

/* --- waiting --------------------------------------------------------------------------------------------------- */

/* All that was asked for is ready, or nothing is, or the call fails. */
int ctn_model_select(int n, fd_set *readable, fd_set *writable, fd_set *failed, struct timeval *time)
{
    fd_set *const sets[] = {readable, writable, failed};
    int ready = 0, is_timeout = time != NULL && ctn_choice(2, CTN_ROOT("select()?timeout"));
    if (outcome("select()") != 0) return -1;
    for (unsigned i = 0; i < 3; i++) {
        if (sets[i] == NULL) continue;
        if (is_timeout || i == 2) FD_ZERO(sets[i]);
        for (int fd = 0; fd < n && fd < MEMBERS_MAX; fd++) ready += FD_ISSET(fd, sets[i]) != 0;
    }
    return ready;
}

/* Without a value what was asked for is ready. */
int ctn_model_poll(struct pollfd *fds, nfds_t n, int timeout)
{
    (void)timeout;
    int ready = 0;
    if (outcome("poll()") != 0) return -1;
    for (nfds_t i = 0; i < n && i < MEMBERS_MAX; i++) {
        short asked = (short)(fds[i].events | POLLERR | POLLHUP);
        fds[i].revents = (short)((fds[i].events ^ (short)ctn_bits(16, CTN_ROOT("poll()->revents"))) & asked);
        ready += fds[i].revents != 0;
    }
    return ready;
}

/* --- names ------------------------------------------------------------------------------------------------------- */

int ctn_model_getaddrinfo(const char *name, const char *service, const struct addrinfo *wanted, struct addrinfo **found)
{
    (void)name, (void)service;
    if (ctn_choice(2, CTN_ROOT("getaddrinfo()")) != 0) return EAI_NONAME;
    struct addrinfo *info = calloc(1, sizeof *info);
    struct sockaddr_in *address = calloc(1, sizeof *address);
    if (info == NULL || address == NULL) {
        free(info);
        free(address);
        return EAI_MEMORY;
    }
    address->sin_family = AF_INET;
    info->ai_family = AF_INET;
    info->ai_socktype = wanted == NULL || wanted->ai_socktype == 0 ? SOCK_STREAM : wanted->ai_socktype;
    info->ai_addr = (struct sockaddr *)address;
    info->ai_addrlen = sizeof *address;
    *found = info;
    return 0;
}

void ctn_model_freeaddrinfo(struct addrinfo *info)
{
    for (struct addrinfo *next; info != NULL; info = next) {
        next = info->ai_next;
        free(info->ai_addr);
        free(info);
    }
}
