/* Functions and records of system headers are not the program's; those of its own headers are. */
#include <stdlib.h>
#include <ctype.h>
struct config { div_t quotient; };
int call(struct config *c, int x) { return toupper(x) + abs(c->quotient.quot) + atoi("1"); }
