/* The calls whose results are inputs, in a replay build: the same code as in exploration, compiled natively
 * and using the C library's own string functions. Which library names go to them is said in redirect.rs. */
#include "process.c"
#include "replay_heap.c"
#include "replay_files.c"

#define ctn_model_read read
#define ctn_model_strchr strchr
#define ctn_model_strcmp strcmp
#define ctn_model_strdup strdup
#define ctn_model_strlen strlen
#define ctn_model_strncmp strncmp
#define ctn_model_strndup strndup

#include "models/clock.c"
#include "models/environment.c"
#include "models/network.c"
#include "models/random.c"
