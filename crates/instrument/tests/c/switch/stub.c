#include <stdio.h>

struct wide { long v[4]; };

int twice(int a) { return a + 3; }
double half(double a) { return a / 2; }
struct wide grow(struct wide w) { w.v[0]++; return w; }

int __ctn_stub_twice(int a) { (void)a; return 100; }
double __ctn_stub_half(double a) { (void)a; return 0.5; }
struct wide __ctn_stub_grow(struct wide w) { w.v[0] = 55; return w; }

int main(void)
{
    struct wide w = {{10, 0, 0, 0}};
    printf("real %d %g %ld\n", twice(4), half(9), grow(w).v[0]);
    return 0;
}
