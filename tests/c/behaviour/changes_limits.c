/* Changes what it runs in: working directory, limits, mask, environment, locale, rounding. The next
 * execution starts from the same state again. */
#include <assert.h>
#include <fenv.h>
#include <locale.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

int changes(int x)
{
    struct rlimit none = {0, 0};
    switch (x) {
    case 1: return chdir("/");
    case 2: return setrlimit(RLIMIT_NOFILE, &none);
    case 3: return (int)umask(0777);
    case 4: return setenv("HOME", "/nowhere", 1);
    case 5: return setlocale(LC_ALL, "C.UTF-8") != NULL;
    case 6: return fesetround(FE_UPWARD);
    case 7: return (int)alarm(1);
    default: return 0;
    }
}

/* Fails if a rounding mode survives the execution that set it. */
int thirds(int x)
{
    volatile double one = 1, three = 3;
    assert(one / three == 1.0 / 3.0);
    return x == 2 ? 1 : 0; /* EXPECT covered all */
}
