/* What bodies tell about the end of a function: that it does not come back, or that its result is not null. */
void exit(int);
void *malloc(unsigned long);
extern int many;
struct list { struct list *next; int value[4]; };

void fails(int code) { if (code) many++; exit(code); }
int fails_with_value(void) { fails(1); return 0; }
void fails_in_macro(void) { do { many++; exit(1); } while (0); }
void fails_either_way(int a) { if (a) fails(a); else exit(0); }
void fails_behind_label(int a) { if (a) goto out; many++; out: exit(1); }
int fails_by_return(void) { return fails_with_value(); }
void comes_back_sometimes(int a) { if (a) return; exit(1); }
void comes_back_by_label(int a) { if (a) goto out; exit(1); out: many++; }
void comes_back_from_loop(int a) { while (a) exit(1); }
void comes_back_from_break(int a) { do { if (a) break; exit(1); } while (0); }

void *tested(unsigned long n) { void *p = malloc(n); if (!p) fails(1); return p; }
void *tested_at_once(unsigned long n) { void *p; if ((p = malloc(n)) == 0) { many++; exit(1); } return p; }
void *tested_with_more(unsigned long n) { void *p = malloc(n); if (p == 0 || many > 3) fails(2); return p; }
void *expected(unsigned long n) { void *p = malloc(n); if (__builtin_expect(!!(p == 0), 0)) exit(1); return (char *)p; }
struct list *used(struct list *l) { l->value[0] = 1; return l; }
struct list *given(unsigned long n) { struct list *l = tested(n); return l; }
int *inside(struct list *l, int i) { return i ? &l->value[i] : l->value; }
const char *words(int a) { const char *s = "a"; if (a) s = "b"; return s; }
const char *behind_end(int a) { if (a) return "x"; fails(1); return 0; }

void *untested(unsigned long n) { return malloc(n); }
void *tested_for_some(unsigned long n) { void *p = malloc(n); if (n > 3 && !p) exit(1); return p; }
struct list *set_again(struct list *l) { l->value[0] = 1; l = l->next; return l; }
struct list *set_in_loop(struct list *l) { int i; l->value[0] = 1; for (i = 0; i < 9; i++) l = l->next; return l; }
struct list *set_by_address(struct list *l) { l->value[0] = 1; many = *(int *)&l; return l; }
struct list *used_sometimes(struct list *l) { if (many && l->value[0]) many = 0; return l; }
struct list *address_only(struct list *l) { int *v = &l->value[1]; many = v != 0; return l; }
struct list *from_case(struct list *l, int a) { switch (a) { case 1: l->value[0] = 1; case 2: return l; } return l; }
struct list *recursive(struct list *l) { return recursive(l); }
const char *one_of_two(int a) { return a ? "a" : 0; }
