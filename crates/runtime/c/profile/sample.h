/* Between the two parts of capture: capture.c chooses calls and keeps samples, sample.c makes them. */
#ifndef CTN_SAMPLE_H
#define CTN_SAMPLE_H

#include "capture.h"

#include <stddef.h>

/* --- sample.c ----------------------------------------------------------------------------------------------------- */
void sample_before(void);                     /* in the program, when it begins */
void sample_start(int with_long_buffers);     /* in a copy of it */

/* --- capture.c: how a copy ends ------------------------------------------------------------------------------------ */
__attribute__((noreturn)) void capture_keep(const char *text, size_t length, int flags, unsigned left);
__attribute__((noreturn)) void capture_again(void); /* another copy is to be made, with long buffers */

#endif
