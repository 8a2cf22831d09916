/* Structs, 128-bit integers and floats as variable arguments, in registers and beyond them. Tested alone, such a
 * function reads arguments that nobody passed: any alarm may come of that. */
/* EXPECT-FILE alarms any */
#include <stdarg.h>

struct small { int a, b; };
struct pair { long a; double b; };
struct large { int values[6]; };

static int take(int kind, ...)
{
    va_list list;
    int result = 0;
    va_start(list, kind);
    switch (kind) {
    case 0: {
        struct small s = va_arg(list, struct small);
        result = s.a == 17 && s.b == 18;
        break;
    }
    case 1: {
        struct pair p = va_arg(list, struct pair);
        result = p.a == 1 && p.b == 2.5;
        break;
    }
    case 2: {
        struct large l = va_arg(list, struct large);
        result = l.values[5] == 99;
        break;
    }
    case 3: {
        __int128 w = va_arg(list, __int128);
        result = (long)(w >> 64) == 6;
        break;
    }
    case 4: {
        struct small s;
        for (int i = 0; i < 8; i++) s = va_arg(list, struct small);
        result = s.b == 27;
        break;
    }
    case 5: {
        long double x = va_arg(list, long double);
        result = va_arg(list, int) == 3 && x == 1.0L;
        break;
    }
    }
    va_end(list);
    return result;
}

int small_struct(int a, int b)
{
    struct small s = {a, b};
    if (take(0, s)) return 1; /* EXPECT covered all */
    return 0;
}

int mixed_struct(long a, double b)
{
    struct pair p = {a, b};
    if (take(1, p)) return 1; /* EXPECT covered all */
    return 0;
}

int large_struct(int a)
{
    struct large l = {{0, 0, 0, 0, 0, a}};
    if (take(2, l)) return 1; /* EXPECT covered all */
    return 0;
}

int wide(long a)
{
    if (take(3, (__int128)a << 64)) return 1; /* EXPECT covered all */
    return 0;
}

int beyond_registers(int a)
{
    struct small s = {1, 2}, last = {3, a};
    if (take(4, s, s, s, s, s, s, s, last)) return 1; /* EXPECT covered all */
    return 0;
}

int after_extended(int a)
{
    if (take(5, 1.0L, a)) return 1; /* EXPECT covered all */
    return 0;
}
