/* Tests for null, and whether they say that the function may be given null. */
struct item { struct item *next; char *text; };
struct other { int n; };
extern void *malloc(unsigned long);
extern struct item *find(int);
extern struct other *make(void);
static struct item *head;

int parameter(struct item *i) { return i ? 1 : 0; }
int parameter_then_default(struct item *i) { if (!i) i = find(0); return i == 0; }
int parameter_or_found(struct item *i, int n) { if (n) i = find(n); return i != 0; }
int found_instead(struct item *i) { i = find(1); return i != 0; }
int result(void) { struct item *i = find(1); if (!i) return 0; return 1; }
int result_cast(void) { struct item *i; i = (struct item *)malloc(16); return i == 0; }
int result_in_condition(void) { struct other *o; if ((o = make()) == 0) return 0; return 1; }
int result_itself(void) { return make() ? 1 : 0; }
int either_result(int n) { struct item *i = n ? find(n) : 0; return i ? 1 : 0; }
int own_null(int n) { struct item *i = 0; if (n) i = find(n); if (i) return 1; return 0; }
int member(struct item *i) { return i->next == 0; }
int member_filled(struct item *i) { i->text = malloc(2); if (!i->text) return 0; return 1; }
int member_filled_at_once(struct item *i) { if (!(i->text = malloc(2))) return 0; return 1; }
int member_of_another(struct item *i) { i->text = malloc(2); i = i->next; if (!i->text) return 0; return 1; }
int member_maybe_filled(struct item *i, int n) { if (n) { i->text = malloc(2); } if (!i->text) return 0; return 1; }
int list(struct item *i) { int n = 0; for (struct item *each = i; each; each = each->next) n++; return n; }
int found_list(void) { int n = 0; for (struct item *each = find(0); each; each = each->next) n++; return n; }
int found_one_by_one(void) { int n = 0; for (struct item *each = find(0); each; each = find(n)) n++; return n; }
int copied(struct item *i) { struct item *a, *b; a = b = i; return a ? 1 : 0; }
int copied_result(void) { struct item *a = find(0); struct item *b = a; return b ? 1 : 0; }
int global(void) { return head ? 1 : 0; }
int state(void) { static struct item *kept; if (!kept) kept = find(0); return kept == 0; }
