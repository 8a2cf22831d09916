/* Names that a harness may stumble over: those of its own habit, of keywords in C++, of library functions. */
/* EXPECT-FILE covered all */
int main_(int x) { return x == 1 ? 2 : 3; }
int new(int class, int template) { return class == template + 6 ? 1 : 0; }
int ctn(int at, int p, int depth) { return at == p && depth == 4 ? 1 : 0; }
int i;
int value(int i, int n) { return i == 9 && n == i ? 1 : 0; }
static int size;
int drive(int drive) { return drive == 5 ? size : 0; }
struct x { int x; } x;
int y(struct x y) { return y.x == 8 ? 1 : 0; }
typedef int T;
int shadows(int T) { return T == 3 ? 1 : 0; }
int path, array, choice;
int api(int path, int array, int choice) { return path == 7 && array == 8 && choice == 9 ? 1 : 0; }
