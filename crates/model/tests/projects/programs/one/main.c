#include "../common/log.h"
int helper(void);
int vendor_init(void);
int main(void) { log_line("one"); return helper() + twice(1) + vendor_init(); }
