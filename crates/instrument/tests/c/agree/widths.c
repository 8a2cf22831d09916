#include <stdio.h>
#include <math.h>
#ifdef NATIVE
#define ctn_same(p, n) ((void)0)
#else
void ctn_same(void *, unsigned long);
#endif
static int count;
#define T(c) do { if (c) count++; else count += 2; } while (0)
typedef unsigned __int128 wide;
static int over_wide(int x, unsigned n) { return x << n; }
static long over_wide_right(long x, unsigned n) { return x >> n; }
static unsigned over_wide_unsigned(unsigned x, unsigned n) { return x >> n; }
static wide over_wide_wide(wide x, unsigned n) { return x >> n; }
typedef int four __attribute__((vector_size(16)));
int main(void) {
  static unsigned n = 37, m = 71, k = 200, lane = 2; static int x = -5; static double d = INFINITY, tiny = 5e-310, nan_ = NAN, zero = -0.0; static float f = -1e-40f, g = -INFINITY; static wide w; static char buffer[64]; static unsigned char *p; static four v = {1, 2, 3, 4};
  w = (wide)0x123456789abcdef0ull << 64 | 0x1122334455667788ull; p = (unsigned char *)buffer + 13;
  ctn_same(&n, 4); ctn_same(&m, 4); ctn_same(&k, 4); ctn_same(&x, 4); ctn_same(&d, 8); ctn_same(&tiny, 8); ctn_same(&nan_, 8); ctn_same(&zero, 8); ctn_same(&f, 4); ctn_same(&g, 4); ctn_same(&w, 16); ctn_same(&p, 8); ctn_same(&lane, 4); ctn_same(&v, 16);
  T(over_wide(x, n) == -160); T(over_wide_right(x, m) == -1); T(over_wide_unsigned(x, n) == 3); T((unsigned long)over_wide_wide(w, k) == 1);
  printf("%d %ld %u %lx\n", over_wide(x, n), over_wide_right(x, m), over_wide_unsigned(x, n), (long)over_wide_wide(w, k));
  double all[] = {d, tiny, nan_, zero, 1.5, -d, -tiny, -zero, -2.5, f, g};
  for (int i = 0; i < 11; i++) { double e = all[i]; T(isinf(e)); T(isnan(e)); T(isfinite(e)); T(isnormal(e)); T(__builtin_isinf_sign(e) < 0); T(signbit(e)); T(__builtin_issubnormal(e)); T(__builtin_iszero(e)); T(__builtin_isfpclass(e, 0x0f0)); T(__builtin_isfpclass((float)e, 0x30c)); printf("%d ", count); }
  T(((unsigned long)__builtin_align_down(p, 16) & 15) == 0); T(__builtin_align_up(p, 8) - p < 8); T(__builtin_is_aligned(p, 2));
  v[lane] = x; T(v[2] == -5); T(v[lane - 1] == 2); T(v[(lane + 1) & 3] == 4); printf("%d %d\n", v[2], v[lane - 1]);
  T(__builtin_bswap64(w) == 0x8877665544332211ull); T(w / 7 > 3); T((int)(w % 1000) == 5); T((__int128)-w < 0); T((w ^ w >> 65) & 1); T(__builtin_clzll(w >> 64) == 3);
  T((unsigned char)(x * 77) == 3); T((short)(x << 13) < 0); T((_Bool)x); T((char)f == 0); T((long)(tiny * 1e300) == 0); T((unsigned short)(n * 3001u) == 45501); T((signed char)k == -56);
  printf("%d\n", count); return 0; }
