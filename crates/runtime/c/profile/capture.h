/* What a driver says beside ctn.h when it is written for capture: it runs inside of the real program, at a call of its
 * function, and its slots are recorded from what is there instead of being given values. Each call below tells where
 * that is; drivers make copies of what pointers lead to, so the program's own objects are read only. */
#ifndef CTN_CAPTURE_H
#define CTN_CAPTURE_H

#include "ctn.h"

/* A variable of the driver gets what the call has: `size` bytes, as far as they can be read. */
void ctn_take(void *variable, unsigned long size, const void *from);
/* What is made next stands for what the pointer at this place leads to. */
void ctn_at(const void *place);
/* The value of the next bit-field. */
void ctn_now(unsigned long long value);
/* The next choice is n where the pointer of the last ctn_at is this one. */
void ctn_candidate(unsigned n, const void *pointer);
/* What is made next is elements of this size: where nothing tells how many there are, one is. */
void ctn_element(unsigned long size);
/* What is made next ends where this pointer says; its contents end with the memory that is made. */
void ctn_until(const void *end);
/* Elements of `size` bytes from the start of what was made at `start` to what the pointer at `place` leads to. */
unsigned long ctn_distance(const void *place, const void *start, unsigned long size);
/* A string ends with its NUL, unless it is known to be followed by more, and at the latest after `length` characters. */
void ctn_cut(char *text, unsigned long length);
/* Everything is told. */
__attribute__((noreturn)) void ctn_captured(void);

typedef struct ctn_capture {
    const char *function;  /* name in the source */
    const void *entry;     /* the function */
    const void *capture;   /* takes its arguments */
} ctn_capture;

/* Called by a constructor in each file. */
void ctn_register_captures(unsigned tu, const ctn_capture *captures, unsigned count);

#endif
