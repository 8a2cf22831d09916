/* A header that is not there. */
/* EXPECT-FILE rejected vendor_registers_that_do_not_exist.h */
#include "vendor_registers_that_do_not_exist.h"

int uses_it(int x) { return x + REGISTER_A; }
