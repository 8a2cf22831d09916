/* Sockets: whether calls fail and what is received are inputs, alone and from a loop that waits. */
/* EXPECT-FILE covered all */
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

int served(unsigned short port)
{
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0) return -1;
    if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0 || listen(fd, 4) != 0) {
        close(fd);
        return -2;
    }
    int client = accept(fd, NULL, NULL);
    if (client < 0) return errno == EINTR ? 1 : -3;
    char request[16];
    ssize_t n = recv(client, request, sizeof request, 0);
    if (n > 3 && memcmp(request, "PING", 4) == 0 && send(client, "PONG", 4, 0) == 4) return 2;
    return 0;
}

int waited(int fd)
{
    fd_set set;
    struct timeval time = {1, 0};
    if (fd < 0 || fd >= 16) return -1;
    FD_ZERO(&set);
    FD_SET(fd, &set);
    int ready = select(fd + 1, &set, NULL, NULL, &time);
    if (ready < 0) return -2;
    if (ready == 0) return 0;
    return FD_ISSET(fd, &set) ? 1 : 2; /* EXPECT covered true */
}

int polled(void)
{
    struct pollfd both[2] = {{3, POLLIN, 0}, {4, POLLIN | POLLOUT, 0}};
    if (poll(both, 2, 100) <= 0) return -1;
    if (both[0].revents & POLLHUP) return 1;
    if (both[1].revents == POLLOUT) return 2;
    return 0;
}

int overrun(void)
{
    char name[4];
    int fd = socket(AF_INET, SOCK_DGRAM, 0), n = 0;
    char c;
    if (fd < 0) return -1;
    while (read(fd, &c, 1) == 1 && c != ' ')
        name[n++] = c; /* EXPECT alarm out-of-bounds */
    return n > 0 && name[0] == 'a';
}
