/* Kinds of definitions. */
#include <stdnoreturn.h>
#include <stdlib.h>

static int only_here(void) { return 1; }
inline int no_symbol(int a) { return a; }
extern inline int symbol(int a);
inline int symbol(int a) { return a; }
static inline int tiny(void) { return only_here(); }
int variadic(const char *format, ...) { return format[0] + no_symbol(1); }
int old_style (/* first */ a, b) int a; char *b; { return a + *b; }
int empty_parens() { return tiny(); }
_Noreturn void never(void) { exit(1); }
noreturn void neither(void) { abort(); }
__attribute__((__noreturn__)) void nor_this(void) { for (;;); }
void later(void) __attribute__((__noreturn__));
void later(void) { for (;;); }
void unnamed_parameter(int, int *[3]);
void arrays(int a[10], int b[][4], char *argv[], int f(int), int n, double m[n][n]) { f(a[0]); }
struct pair { int a, b; };
struct pair by_value(struct pair p) { return p; }
int (*returns_pointer(int x))(int) { return x ? no_symbol : symbol; }
#define MAKE(name) int name(void) { return 0; }
MAKE(first) MAKE(second)
__attribute__((weak)) int weak_one(void) { return 2; }
void takes_noreturn(void (*cb)(void) __attribute__((__noreturn__)), int a[static 3]) { cb(); }
int other_convention(int (__attribute__((ms_abi)) *f)(int)) { return f(1); }
