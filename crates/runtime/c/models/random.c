/* Models of rand and its relatives. Each number is an input slot, such as `rand()`, added by exclusive or
 * to a generator that starts from the program's seed: any value can be reached, and without a value the
 * numbers differ from call to call, so that a loop which draws until a number fits ends. */
#include "../ctn.h"
#include "models.h"

enum { RAND_BITS = 31, RAND48_BITS = 48 };

static uint64_t state = 1;

static uint64_t draw(unsigned bits, const char *slot)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> (64 - bits)) ^ ctn_bits(bits, CTN_ROOT(slot));
}

void ctn_model_srand(unsigned seed) { state = seed; }
int ctn_model_rand(void) { return (int)draw(RAND_BITS, "rand()"); }
long ctn_model_random(void) { return (long)draw(RAND_BITS, "random()"); }
void ctn_model_srand48(long seed) { state = (uint64_t)seed; }
long ctn_model_lrand48(void) { return (long)draw(RAND_BITS, "lrand48()"); }
long ctn_model_mrand48(void) { return (int32_t)draw(RAND_BITS + 1, "mrand48()"); }
double ctn_model_drand48(void) { return (double)draw(RAND48_BITS, "drand48()") / 281474976710656.0; }
uint32_t ctn_model_arc4random(void) { return (uint32_t)draw(RAND_BITS + 1, "arc4random()"); }

uint32_t ctn_model_arc4random_uniform(uint32_t bound)
{
    return bound < 2 ? 0 : ctn_model_arc4random() % bound;
}

/* The state belongs to the caller, so it is the generator; the slot is added as above. */
int ctn_model_rand_r(unsigned *seed)
{
    *seed = *seed * 1103515245u + 12345u;
    return (int)((*seed >> 1) ^ (unsigned)ctn_bits(RAND_BITS, CTN_ROOT("rand_r()")));
}
