/* Opens sockets: nothing may leave the machine. */
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

int connects(int x) /* EXPECT end forbidden or returned */
{
    if (x != 4) return 0;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0) return -1;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int result = connect(fd, (struct sockaddr *)&to, sizeof to);
    close(fd);
    return result;
}
