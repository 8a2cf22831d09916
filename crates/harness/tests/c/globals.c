/* Globals that a unit reads, directly or in callees of this file. */
#include <stdio.h>

int mode;
static unsigned hidden = 3;
const int limit = 10;
static const char *const words[] = { "a", "b" };
extern int elsewhere;
extern int lengths[];
char buffer[16];
double matrix[2][2];
struct config { int verbose; char *path; } config;
struct { int a; struct { int b; } c; } unnamed, *unnamed_pointer;
struct config *configs;
FILE *log_file;
volatile int status;
_Thread_local int per_thread;
static int written_only;
enum { IDLE, BUSY } state;

static unsigned char table[] = { 1, 2, 3 };
static struct config fixed = { 1, "x" };
/* A pointer keeps what its initialiser says if nothing can write it. */
static const char *title = "none";
static char *nothing = 0;
static char *given = buffer;
static struct { const char *name; char **value; } options[] = { { "given", &given } };

/* The one says how much is behind the other. */
static unsigned char *line;
static unsigned llen;
static short *samples;
static int samples_size, rate_len;

static int helper(void) { return (int)hidden + limit; }
int reads(int x) { return x + mode + helper() + words[0][0]; }
int arrays(void) { return buffer[0] + (int)matrix[0][0] + lengths[0]; }
int records(void) { return config.verbose + unnamed.c.b + unnamed_pointer->a + configs->verbose; }
int others(void) { return status + per_thread + state + elsewhere; }
int tables(int i) { return table[i] + fixed.verbose; }
int pointers(int i) { return title[i] + (nothing ? nothing[0] : 0) + given[0] + options[0].name[0]; }
int sized(unsigned i) { return (i < llen ? line[i] : 0) + (samples_size ? samples[0] : rate_len); }
void fill(unsigned n) { line = 0; llen = n; samples = 0; samples_size = (int)n; rate_len = (int)n; }
void writes(void) { written_only = 1; }
int library(void) { return fprintf(log_file ? log_file : stderr, "x"); }
int counts(int step) { static int count; count += step; return count; }
int calls_counts(void) { return counts(1) + 1; }
int shadow(int mode) { return mode; }
