/* Functions with a variable number of arguments: integers, doubles, pointers, more than registers hold.
 * Tested alone, such a function reads arguments that nobody passed: any alarm may come of that. */
/* EXPECT-FILE alarms any */
#include <stdarg.h>

static int sum(int count, ...)
{
    va_list arguments;
    int total = 0;
    va_start(arguments, count);
    for (int i = 0; i < count && i < 12; i++) total += va_arg(arguments, int);
    va_end(arguments);
    return total;
}

static double mixed(const char *kinds, ...)
{
    va_list arguments, copy;
    double total = 0;
    va_start(arguments, kinds);
    va_copy(copy, arguments);
    for (; kinds && *kinds; kinds++)
        total += *kinds == 'd' ? va_arg(copy, double) : (double)va_arg(copy, long);
    va_end(copy);
    va_end(arguments);
    return total;
}

int many(int a, int b)
{
    if (sum(10, 0, 0, 0, 0, 0, 0, 0, 0, a, b) == 300) return 1; /* EXPECT covered all */
    return 0;
}

int mixes(int a)
{
    if (mixed("dld", 0.5, (long)a, 1.5) == 12.0) return 1; /* EXPECT covered all */
    return 0;
}
