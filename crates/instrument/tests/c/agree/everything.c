#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <setjmp.h>
#include <math.h>
#ifdef NATIVE
#define ctn_same(p, n) ((void)0)
#else
void ctn_same(void *, unsigned long);
#endif
static int count;
#define T(c) do { if (c) count++; else count += 2; } while (0)
struct big { long a[5]; char c; short s; };
struct two { long a; double b; };
struct ff { float x, y; };
struct bits { unsigned a : 3, b : 11; signed c : 7; unsigned long d : 40; };
static long sum(int n, ...) { va_list ap, aq; long s = 0; va_start(ap, n); va_copy(aq, ap); for (int i = 0; i < n; i++) { int v = va_arg(ap, int); T(v > 3); s += v; } for (int i = 0; i < n; i++) s += va_arg(aq, int) * 2; va_end(ap); va_end(aq); return s; }
static double mixed(const char *f, ...) { va_list ap; va_start(ap, f); double r = 0; for (; *f; f++) switch (*f) { case 'i': { int i = va_arg(ap, int); T(i == 7); r += i; break; } case 'd': { double d = va_arg(ap, double); T(d > 1.5); r += d; break; } case 'l': { long l = va_arg(ap, long); T(l < 0); r += l; break; } case 'b': { struct big b = va_arg(ap, struct big); T(b.a[4] == 5); r += b.c; break; } case 's': { const char*s = va_arg(ap, const char*); T(s[1]=='e'); r += strlen(s);} } va_end(ap); return r; }
static struct big mk(struct big b, int k) { b.a[k & 3] += k; T(b.a[4] > 3); b.c ^= k; return b; }
static struct two mk2(struct two t) { t.a++; t.b *= 2; T(t.b > 4); return t; }
static struct ff mk3(struct ff t) { t.x += t.y; T(t.x > 1); return t; }
static jmp_buf jb;
static int deep(int n) { char buf[40]; memset(buf, n, sizeof buf); if (n == 0) longjmp(jb, 3); return deep(n - 1) + buf[5]; }
static int vla(int n) { int s = 0; for (int r = 1; r < 4; r++) { int a[n * r]; for (int i = 0; i < n * r; i++) a[i] = i * r; s += a[n - 1]; T(s > 9); } return s; }
typedef int v4 __attribute__((vector_size(16)));
static int vec(int x) { v4 a = {x, x + 1, 2, 3}, b = {1, 2, 3, 4}; a = a * b + a; T(a[1] > 10); return a[0] + a[1] + a[2] + a[3]; }
static int sel(int a, int b) { return a > b ? a : b; }
typedef int (*fp)(int, int);
static int add(int a, int b) { return a + b; }
static fp table[] = {sel, add};
int main(int argc, char **argv) {
  int i = 5; long l = -3; double d = 2.25; float f = 1.5f; struct big b = {{1,2,3,4,5},'x',9}; struct two t = {4, 2.5}; struct bits bf = {5, 1000, -3, 0x123456789aL}; __int128 w = ((__int128)0x123456789abcdefL << 40) + 77; unsigned char uc = 200; char str[16] = "hello";
  struct ff fz = {0.5f, 0.75f}; long double ld = 3.5L; _Bool bo = 1; unsigned sh = 3; unsigned long ul = 0x8000000000000001ul; void *p = &i; short s = -5;
  ctn_same(&i, 4); ctn_same(&l, 8); ctn_same(&d, 8); ctn_same(&f, 4); for (int k = 0; k < 5; k++) ctn_same(&b.a[k], 8); ctn_same(&b.c, 1); ctn_same(&b.s, 2); ctn_same(&t.a, 8); ctn_same(&t.b, 8); ctn_same(&bf, 8); ctn_same((char *)&bf + 8, 8); ctn_same(&w, 8); ctn_same((char *)&w + 8, 8); ctn_same(&uc, 1); for (int k = 0; k < 6; k++) ctn_same(&str[k], 1); ctn_same(&fz.x, 4); ctn_same(&fz.y, 4); ctn_same(&bo, 1); ctn_same(&sh, 4); ctn_same(&ul, 8); ctn_same(&s, 2);
  printf("%ld\n", sum(9, i, 2, i + 1, 4, i * 2, 6, 7, i, (int)l));
  printf("%f\n", mixed("iddlbsiiiiidddddddddl", i, d, (double)f, l, b, str, 1, i + 2, 3, 4, i, 1.0, d, 3.0, d + 1, 2.0, d, d, d, d, l));
  b = mk(b, i); b = mk(b, 6); printf("%ld %d\n", b.a[1], b.c); T(b.a[2] == 3);
  t = mk2(t); printf("%ld %f\n", t.a, t.b);
  fz = mk3(fz); printf("%f\n", fz.x); T(fz.x < 1);
  T(bf.a == 5); T(bf.b > 999); T(bf.c < 0); T(bf.d == 0x123456789aL); bf.c = i; bf.d += 3; bf.a = i + 4; T(bf.c == 5); T(bf.d & 1); printf("%d %d %d %ld\n", bf.a, bf.b, bf.c, (long)bf.d);
  T(w > 5); T((long)(w >> 3) == 7); w = w * i - 3; T(w / 7 > 100); T((unsigned char)w == 3); printf("%lx %lx\n", (long)w, (long)(w >> 64)); T(w % 13 == 4); w <<= sh; T((w >> 70) & 1);
  T(uc > 100); T((signed char)uc < 0); T(uc + s < 190); T(bo); bo = i; T(bo); bo = !bo; T(bo);
  T(f * d > 3); T((int)d == 2); T((unsigned)f == 1); T(f + i > 6.4f); T((float)l < -2.5f); T((double)ul > 1e18); T(sqrt(d) == 1.5); T(fabs(-d) > 2); T(floor(d) == 2.0); T(-d < 0); T(d != d); T(d / 0.3 > 7.4999); T(fmod(d, 2.0) == 0.25); T((long)(d * 1e10) == 22500000000L); T(!(f > d)); T(isnan(d)); T(f / 3 > 0.4f); T(fmin(d, f) == 1.5); T(copysign(d, l) < 0); T(ceil(f) == 2); T(trunc(d) == 2); T(round(f) == 2); T(rint(f) == 2);
  ld = ld * d; T(ld > 5); printf("%Lf\n", ld);
  T((1u << sh) == 8); T((i << sh) == 40); T((l >> sh) == -1); T((ul >> sh) > 5); T((ul << (sh + 60)) == 1); T(l >> (sh + 61));
  T(__builtin_popcountl(ul) == 2); T(__builtin_clzl(ul) == 0); T(__builtin_ctz(sh + 1) == 2); T(__builtin_bswap32(i) == 0x05000000); T(__builtin_bswap64(ul) == 0x0100000000000080ul); T(__builtin_bswap16(s) == 0xfbff); T(__builtin_ffs(i) == 1); int ov; T(__builtin_add_overflow(i, 0x7ffffffe, &ov)); T(ov < 0); T(__builtin_mul_overflow(l, ul, &l)); T(l == 5); T(__builtin_sub_overflow(uc, 250, &uc)); T(uc == 3); T(__builtin_rotateleft32(i, sh) == 40); T(__builtin_parity(i)); T(__builtin_bitreverse8(s) == 0xdf); T(__builtin_abs(s) == 5);
  T(strlen(str) == 5); str[i] = '!'; T(str[5] == '!'); T(str[(i + 1) & 7] == 0); str[sh] = 'Z'; T(str[3] == 'Z'); int arr[10] = {0}; arr[i] = i; arr[sh] = s; T(arr[5] == 5); T(arr[sh] == -5); T(arr[i - 1]); short sa[7]; memset(sa, uc, sizeof sa); T(sa[2] > 100); sa[i] = s; T(sa[5] == -5); memcpy(arr, str, 8); T(arr[0] == 'h'); memmove(str + 1, str, i); T(str[1] == 'h');
  *(int *)((char *)arr + i) = 0x01020304; T(arr[1] == 0x0304); printf("%d %d\n", arr[1], arr[2]);
  struct { char c[3]; int n; } pk[4]; memset(pk, 0, sizeof pk); pk[sh].n = i; pk[sh].c[bo] = uc; T(pk[3].n == 5); T(pk[3].c[0] == uc);
  T(table[i & 1](i, sh) == 8); T(p == &i); T((l ? i : s) > 0); T((unsigned long)p & 1); 
  int r = setjmp(jb); if (r == 0) deep(4); T(r == 3); printf("%d %d\n", r, vla(i)); char z[64]; for (int k = 0; k < 64; k++) z[k] = k; T(z[33] == 33); printf("%d\n", vec(i));
  switch (i) { case 1 ... 4: count += 3; break; case 5: count += 5; break; default: break; } switch (l) { case -3L: count++; break; case 0x7fffffffffffL: count--; } switch (uc) { default: count += 2; case 0: count++; }
  int x = i; __atomic_fetch_add(&x, sh, __ATOMIC_SEQ_CST); T(x == 8); int ex = 8; T(__atomic_compare_exchange_n(&x, &ex, i, 0, 5, 5)); T(x == 5); T(__atomic_exchange_n(&x, s, 5) == 5); T(x == -5); T(__sync_fetch_and_or(&x, 6) == -5);
  asm volatile("" : "+r"(x)); T(x < 0); goto *(&&a + (i > 100)); a: count++;
  printf("%d\n", count); return count & 63; }
