/* Starts processes: none may appear, and the execution ends as forbidden or the call fails. */
#include <stdlib.h>
#include <unistd.h>

int forks(int x) /* EXPECT end forbidden or returned or exited */
{
    if (x != 6) return 0;
    pid_t child = fork();
    if (child == 0) _exit(3);
    return child < 0 ? -1 : 1;
}

int fork_bomb(int x) /* EXPECT end forbidden or timeout or log-full */
{
    if (x != 6) return 0;
    for (;;) fork(); /* EXPECT alarm non-termination where x = 6 */
}

int runs_a_command(int x) /* EXPECT end forbidden or returned */
{
    if (x != 6) return 0;
    return system("echo harm > harm.txt");
}

int replaces_itself(int x) /* EXPECT end forbidden or returned */
{
    char *arguments[] = {"/bin/true", NULL};
    if (x != 6) return 0;
    return execv(arguments[0], arguments);
}
