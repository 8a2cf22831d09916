#include "util.h"
int main(void) { return twice(LIMIT); }
