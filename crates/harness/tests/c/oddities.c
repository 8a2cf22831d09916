/* Old-style definitions, variable arguments, types that cannot be named. */
#include <stdarg.h>
#include <stdio.h>

int old(a, b, c)
    char a;
    float b;
    struct old *c;
{
    return a + (int)b + (c != 0);
}

int old_empty() { return 1; }

int format(char *to, const char *how, ...)
{
    va_list list;
    int n;
    va_start(list, how);
    n = vsprintf(to, how, list);
    va_end(list);
    return n;
}

int format_list(char *to, va_list list, const char *how) { return vsprintf(to, how, list); }
int format_only(va_list list) { return va_arg(list, int); }
int format_indirect(va_list *list) { return list != 0; }

int local_type(int n)
{
    struct inner { int x; } value = { n };
    static struct { int calls; } state;
    state.calls++;
    return value.x + state.calls;
}

int prototype_scope(struct only_here { int x; } *p) { return p->x; }
int variable_length(int n, int a[n][n]) { return a[0][0]; }
inline int inlined(int x) { return x; }
static inline int static_inlined(int x) { return x; }
_Atomic int counter;
int atomic(_Atomic int *p) { return *p + counter; }
int typeofs(__typeof__(int[3]) *p) { return (*p)[0]; }
