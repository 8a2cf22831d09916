/* Starts a thread. It runs or it is refused; the function before and after it are not harmed. */
/* EXPECT-FILE flags -pthread */
#include <pthread.h>

static int total;

static void *add(void *argument)
{
    if (argument) total++;
    return argument;
}

int in_thread(int x) /* EXPECT end returned or forbidden */
{
    pthread_t thread;
    total = 0;
    if (pthread_create(&thread, NULL, add, &x) != 0) return -1;
    pthread_join(thread, NULL);
    return total;
}
