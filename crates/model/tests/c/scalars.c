/* Scalar kinds and the names they go by. */
#include <complex.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>

typedef unsigned int word;
typedef word *word_pointer;
typedef float vec4 __attribute__((vector_size(16)));
enum sign { MINUS = -1, ZERO, PLUS };
enum big { HUGE_ONE = 0x100000000 };

void integers(char c, signed char sc, unsigned char uc, short s, unsigned short us, int i, word w, long l,
              unsigned long long ull, __int128 wide, unsigned __int128 uwide, wchar_t wc, int8_t i8, bool b)
{
}

void floats(float f, double d, long double ld, _Float16 h, __float128 q, double complex z, vec4 v)
{
}

void others(enum sign s, enum big h, word_pointer p, const volatile int *const cv, _Atomic(int) a, _Atomic long al,
            void *restrict r, va_list ap)
{
}

_Thread_local int per_thread;
const char *const names[2] = { "a", "b" };
volatile const int status_register;
__typeof__(per_thread) like_that;
