/* Parameters that are dereferenced whatever else is given. */
extern void abort(void) __attribute__((noreturn));
extern void exit(int) __attribute__((noreturn));
extern void other(const void *);
struct point { int x, y; struct point *next; };

int member(struct point *p) { return p->x; }
int element(int *p) { return p[0]; }
int pointed(const char *p) { return *p++; }
int address(struct point *p) { return p ? 1 : 0; }
int in_both(struct point *p, int n) { if (n) return p->x; return p->y; }
int in_one(struct point *p, int n) { if (n) return 0; return p->y; }
int behind_and(struct point *p, int n) { return n && p->x; }
int before_and(struct point *p, int n) { return p->x && n; }
int in_choice(struct point *p, int n) { return n ? p->x : p->y; }
int in_loop(struct point *p, int n) { int s = 0; while (n--) s += p->x; return s; }
int after_loop(struct point *p, int n) { while (n--) other(0); return p->x; }
int left_loop(struct point *p, int n) { while (n--) { if (n == 7) return 0; } return p->x; }
int broken_loop(struct point *p, int n) { while (1) { if (n-- == 7) break; } return p->x; }
int once(struct point *p, int n) { do { if (n) { p->x = 0; break; } } while (0); return p->y; }
int left_once(struct point *p, int n) { do { if (n) return 0; } while (0); return p->y; }
int counted(struct point *p, int n) { for (int i = p->x; i < n; i++) { } return 0; }
int chosen(struct point *p, int n) { switch (n) { case 1: other(p); break; default: break; } return p->x; }
int left_choice(struct point *p, int n) { switch (n) { case 1: return 0; default: break; } return p->x; }
int jumped(struct point *p, int n) { if (n) goto end; return p->x; end: return p->y; }
int aborted(struct point *p, int n) { if (n) abort(); return p->x; }
int exited(struct point *p, int n) { if (n) exit(1); return p->x; }
int assigned(struct point *p, struct point *q) { p = q; return p->x; }
int copied(void *p, int n) { struct point *q = (struct point *)p; if (n) return q->x; return q->y; }
int sized(struct point *p) { return sizeof(p->x); }
int handed_on(struct point *p, int n) { return n + member(p); }
int handed_twice(struct point *p) { return handed_on(p, 1); }
int maybe_handed_on(struct point *p, int n) { return n ? member(p) : 0; }
int handed_member(struct point *p) { return member(p->next); }
int tested_too(struct point *p) { int x = p->x; return p ? x : 0; }
