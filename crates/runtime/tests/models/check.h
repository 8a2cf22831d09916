/* What the differential tests of the models share: a deterministic source of hostile inputs, and a
 * comparison that counts and prints what differs. Compiled natively, without the runtime. */
#ifndef CHECK_H
#define CHECK_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

extern unsigned failures, checks;

/* Reports `what` with the text that was given, and stops printing after twenty. */
void differs(const char *file, int line, const char *what, const char *given);

#define SAME(model, library, given)                                                                      \
    do {                                                                                                 \
        checks++;                                                                                        \
        if (!((model) == (library))) differs(__FILE__, __LINE__, #model " is not " #library, (given));   \
    } while (0)
#define CHECK(condition, given)                                                                          \
    do {                                                                                                 \
        checks++;                                                                                        \
        if (!(condition)) differs(__FILE__, __LINE__, #condition, (given));                              \
    } while (0)

uint64_t any(void);                /* the next pseudo-random number */
unsigned below(unsigned n);
/* A string of at most `most` bytes from the alphabet (all bytes 1..255 if NULL); NUL-terminated. */
void any_text(char *to, unsigned most, const char *alphabet);
int sign(int n);

void check_strings(void);
void check_ctype(void);
void check_integers(void);
void check_reals(void);
void check_sorting(void);
void check_inputs(void);
void check_wide(void);
void check_formats(void);
void check_scanning(void);
void check_others(void);
void check_files(const char *directory);

#endif
