/* Decisions plus one. */
int straight(void) { return 1; }
int one(int a) { if (a) return 1; return 0; }
int both(int a, int b) { if (a && b || !a) return 1; else return 0; }
int loops(int n) { int s = 0; for (int i = 0; i < n; i++) s++; while (n) n--; do s--; while (s > 0); return s; }
int forever(void) { for (;;) ; }
int switched(int a) { switch (a) { case 1: case 2: return 1; case 5 ... 9: return 2; default: return 3; } }
int ternary(int a) { return a ? 1 : a > 2 ? 3 : 4; }
