/* What models ask of the runtime beside input slots: things that must not be instrumented. */
#ifndef CTN_HOST_CALLS_H
#define CTN_HOST_CALLS_H

#include <stdarg.h>

/* The bytes of a real file, which stay where they are across executions; empty when it cannot be read. */
const unsigned char *ctn_real_file(const char *path, unsigned long *length);
/* What the program prints: written if anybody keeps it. */
void ctn_show_output(int fd, const void *from, unsigned long n);
/* The same for a format, which the C library fills in; the number of bytes, or -1. */
int ctn_show_format(int fd, const char *format, va_list more);
/* The length of a string that is only printed: no branch on its bytes. */
unsigned long ctn_plain_length(const char *text);

#endif
