#include "not_there.h"
int f(void) { return NOT_THERE; }
