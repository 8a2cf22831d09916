/* The API that drivers and stubs are written against, generated or by hand.
 * A slot is one input: its path (`hdr->flags.urgent`) names it in reports, in stored inputs and across
 * executions. The same calls work in exploration (slots become symbolic), in native replay (slots take
 * stored values) and in capture (slots are recorded). All names begin with ctn_ so that they do not
 * collide with the program's. */
#ifndef CTN_H
#define CTN_H

/* A slot path under construction. Lives on the stack of the driver; the runtime never keeps it. */
typedef struct ctn_path {
    const struct ctn_path *up;
    const char *name;  /* "hdr", ".len", "->", "*" ... printed as it stands; 0 for an index */
    long index;        /* printed as [index] when name is 0 */
} ctn_path;

/* How many objects there are behind a pointer to a record that nothing steps through. */
#define CTN_ONE          1
#define CTN_ROOT(n)      (&(ctn_path){0, (n), 0})
#define CTN_NAME(at, n)  (&(ctn_path){(at), (n), 0})   /* CTN_NAME(at, ".len"), CTN_NAME(at, "->len") */
#define CTN_INDEX(at, i) (&(ctn_path){(at), 0, (i)})

/* Fill `size` bytes (1, 2, 4, 8, or more for opaque bytes) at p with the slot's value. */
void ctn_value(void *p, unsigned long size, const ctn_path *at);
/* `count` elements of `size` (1, 2, 4, 8) bytes each; one slot, an input element each. */
void ctn_array(void *p, unsigned long size, unsigned long count, const ctn_path *at);
/* An unsigned value of `width` bits (1..64): for bit-fields, which have no address. */
unsigned long long ctn_bits(unsigned width, const ctn_path *at);
/* One of 0 .. n-1; 0 by default and for any other value. For null or not, which alias, which function. */
unsigned ctn_choice(unsigned n, const ctn_path *at);
/* This object or null, by the choice `?null` of the path. It is made in any case: what the driver did with it holds
 * where the pointer is not null, and which of the two it is remains open until the program asks. */
void *ctn_or_null(void *p, const ctn_path *at);
/* A byte that stands for how the driver works rather than for data: part of an input like any slot, but no
 * path depends on it, so the search never changes it. 0 by default. */
unsigned ctn_setting(const ctn_path *at);
/* Memory of the unit under test, with redzones; zeroed; freed with the execution. */
void *ctn_alloc(unsigned long size);
/* One of 0 .. n-1 where the program knows no such end: a number of arguments, a length of a file. */
unsigned ctn_count(unsigned n, const ctn_path *at);
/* Of the `size` bytes at p only the first `used` are there: the rest is beyond its end. The number is taken as it is in
 * this execution; no path depends on it. */
void ctn_end_at(void *p, unsigned long size, unsigned long used);
/* Memory at an address that the source names, as registers of a device are. */
void ctn_device(unsigned long address, unsigned long size);
/* Inputs that do not satisfy this are not executions of the unit. */
void ctn_assume(int condition);
/* The same for what only the driver cannot do: the program may well meet larger inputs. */
void ctn_limit(int condition);
/* Ends the execution as if the unit had returned: for stubs of functions that never return. */
__attribute__((noreturn)) void ctn_stop(void);
/* The smallest values of a slot's declared range are assumed with ctn_assume; nothing else is. */

/* What a driver of a whole program declares before it calls `main`: which files there are. In exploration they
 * are files of the model (models/files.c), in replay real ones in the working directory. */
void ctn_symbolic_file(const char *name, unsigned long most);            /* contents of up to `most` bytes */
void ctn_readable_file(const char *name, const char *source);            /* contents of a real file */
void ctn_standard_input_size(unsigned long most);
/* A variable of the environment; a driver that names one has only those that it names. */
void ctn_symbolic_variable(const char *name, unsigned long most);
/* A FILE to read and write, with contents of up to `most` bytes: slots at .length and []. */
void *ctn_input_stream(unsigned long most, const ctn_path *at);
/* Ends the program as a return from `main` does: what atexit was given is called. */
void ctn_leave_main(int status);

typedef struct ctn_driver {
    const char *function;          /* name in the source */
    void (*drive)(void);           /* allocate, set the slots, call */
} ctn_driver;

/* Called by a constructor in each harness file. */
void ctn_register_drivers(unsigned tu, const ctn_driver *drivers, unsigned count);

#endif
