#include "hooks.h"
static int opened;
int total;
static int file_open(const char *p) { total++; return opened = *p; }
static void file_close(int h) { opened = 0; }
struct driver file_driver = { .open = file_open, .close = file_close };
int (*fallback)(const char *) = file_open;
