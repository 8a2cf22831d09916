typedef int (*operation)(int, int);
extern operation current;
int shared = 3;
static int not_seen(int a, int b) { return a - b; }
int seen(int a, int b) { return a + b; }
int other_file(int x) { return x; }
void install(int which) { current = which ? seen : not_seen; }
