#include <stdio.h>
#ifdef NATIVE
#define ctn_same(p, n) ((void)0)
#else
void ctn_same(void *, unsigned long);
#endif
__thread int local = 5, locals[3] = {1, 2, 3};
static __thread struct { char a; long b; } hidden = {'x', 77};
__attribute__((weak)) int overridable[4] = {4, 3, 2, 1};
extern int renamed[4] __attribute__((alias("overridable")));
int tentative[7];
static int count;
#define T(c) do { if (c) count++; else count += 2; } while (0)
__attribute__((constructor)) static void first(void) { tentative[6] = 9; local += 1; }
__attribute__((destructor)) static void last(void) { printf("last %d\n", local); }
int main(void) {
  ctn_same(&local, 4); ctn_same(locals, 12); ctn_same(&hidden, sizeof hidden); ctn_same(overridable, 16); ctn_same(tentative, sizeof tentative);
  T(local == 6); T(locals[local & 1] == 1); T(hidden.b == 77); T(renamed[2] == 2); T(tentative[6] == 9);
  locals[local - 4] = overridable[1]; T(locals[2] == 3); overridable[3] = hidden.a; T(renamed[3] == 'x'); T(renamed[tentative[6] - 8] == 3);
  printf("%d %d %d %ld\n", count, locals[2], renamed[3], hidden.b); return 0; }
