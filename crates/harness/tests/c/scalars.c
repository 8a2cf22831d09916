/* Numbers of every kind, enums, parameters without names, constant parameters. */
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

enum color { RED, GREEN, BLUE };
enum sparse { FEW = -3, SOME = 10, MANY = 1000 };
typedef enum { F_READ = 1, F_WRITE = 2, F_EXEC = 4 } access_flags;
typedef float vec4 __attribute__((vector_size(16)));

int numbers(char c, unsigned char u, short s, int i, long l, long long ll, uint8_t b, __int128 wide)
{
    return c + u + s + i + (int)l + (int)ll + b + (int)wide;
}

double reals(float f, double d, long double ld, _Complex double z, vec4 v)
{
    return f + d + (double)ld + creal(z) + v[0];
}

int enums(enum color c, enum sparse s, access_flags f, bool flag)
{
    return c + s + f + flag;
}

int constants(const int a, volatile int b, const bool c, const long double d)
{
    return a + b + c + (int)d;
}

int unnamed(int, char *)
{
    return 0;
}

void nothing(void)
{
}

static int hidden(int x)
{
    return x;
}

int uses_hidden(int x)
{
    return hidden(x);
}
