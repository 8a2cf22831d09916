/* See evaluate.c. */
#include "wire.h"

/* How many records disagree with their nodes. Input nodes name their value by index in `y`. */
unsigned evaluate_log(const ctn_header *header, const uint64_t *inputs);
