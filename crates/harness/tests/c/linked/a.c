/* Functions and variables of other files, and symbols that nothing defines. */
struct device;
typedef int (*operation)(int, int);
struct missing { int id; char *text; };

int other_file(int x);
int get_missing(struct missing *into, int);
struct missing *find_missing(const char *name, ...);
struct missing by_value(void);
void stop_missing(int code) __attribute__((noreturn));
extern int missing_variable;
extern int missing_array[];
extern int shared;

operation current;

int use(struct missing *m)
{
    if (shared)
        stop_missing(shared);
    return other_file(1) + get_missing(m, missing_variable) + find_missing("x")->id + by_value().id + missing_array[0]
        + implicit(3);
}

int call(int a) { return current(a, a); }
