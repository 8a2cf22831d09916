/* flags: -std=gnu89 */
int undeclared(void) { return missing(1, 2) + printf("x"); }
implicit_int(x) { return x; }
extern int declared(), weakly(void) __attribute__((weak));
int uses(void) { return declared(3) + weakly(); }
int real_one(void) { return 1; }
int other_name(void) __attribute__((alias("real_one")));
int uses_alias(void) { return other_name(); }
__attribute__((cold)) int set_antialias(int), is_weak_gnu_inline(int);
int uses_names(void) { return set_antialias(1) + is_weak_gnu_inline(2); }
extern int maybe __attribute__((weak));
int uses_maybe(void) { return &maybe ? maybe : 0; }
