#include "log.h"
int verbose;
void log_line(const char *s) { if (verbose) emit(s); }
