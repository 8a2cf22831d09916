#include <stdio.h>
int helper(void) { return 1; }
void emit(const char *s) { puts(s); }
