extern int verbose;
void log_line(const char *);
void emit(const char *);
static inline int twice(int x) { return 2 * x; }
