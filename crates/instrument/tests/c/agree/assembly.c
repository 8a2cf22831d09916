#include <stdio.h>
#ifdef NATIVE
#define ctn_same(p, n) ((void)0)
#else
void ctn_same(void *, unsigned long);
#endif
static int count, x = 5, y = 6, z[2] = {7, 8};
#define T(c) do { if (c) count++; else count += 2; } while (0)
int main(void) {
  ctn_same(&x, 4); ctn_same(&y, 4); ctn_same(z, 8);
  asm("movl $9, %0" : "=m"(x)); T(x == 9);
  asm("addl $1, %0" : "+m"(y)); T(y == 7);
  asm volatile("movl $3, 4(%0)" : : "r"(z) : "memory"); T(z[1] == 3); T(z[0] == 7);
  int w = z[0]; asm("imull $3, %0" : "+r"(w)); T(w == 21);
  asm goto("testl %0, %0; jnz %l1" : : "r"(w) : "cc" : away); count += 100; away: T(w > 3);
  printf("%d %d %d %d\n", count, x, y, z[1]); return 0; }
