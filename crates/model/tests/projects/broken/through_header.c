#include "inner.h"
int g(void) { return 0; }
