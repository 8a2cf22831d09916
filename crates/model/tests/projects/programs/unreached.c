int helper(void);
void emit(const char *);
int unreached(void) { emit("u"); return helper(); }
