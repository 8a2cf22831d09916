struct driver { int (*open)(const char *); void (*close)(int); };
extern struct driver *current;
extern int (*fallback)(const char *);
int run(struct driver *d);
