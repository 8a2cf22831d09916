/* Waits: for time to pass, for an alarm, for input that never comes. */
#include <poll.h>
#include <unistd.h>

unsigned naps(int x) /* EXPECT end timeout or returned or forbidden */
{
    return x == 4 ? sleep(3600) : 0;
}

int pauses(int x) /* EXPECT end timeout or forbidden or returned */
{
    return x == 4 ? pause() : 0;
}

int polls(int x) /* EXPECT end timeout or returned or forbidden */
{
    struct pollfd wait = {0, POLLIN, 0};
    return x == 4 ? poll(&wait, 1, -1) : 0;
}
