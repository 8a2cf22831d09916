extern int verbose, vendor_state;
int helper(void) { return verbose + vendor_state; }
void emit(const char *s) { }
