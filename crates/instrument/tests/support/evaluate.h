/* See evaluate.c. */
#include "wire.h"

/* How many records disagree with their nodes. Input nodes name their value by index in `b`. */
unsigned evaluate_log(const ctn_header *header, const uint64_t *inputs);
/* How many labelled bytes of an object differ from their nodes; after evaluate_log. */
unsigned evaluate_memory(const void *start, uint64_t size, const uint32_t *labels);
