#include "../common/log.h"
int helper(void);
static int limit = 3;
int main(int argc, char **argv) { verbose = argc > limit; log_line(argv[0]); return helper() + twice(2); }
