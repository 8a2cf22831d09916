/* Vectors of the compiler's extension: arithmetic, comparisons, lanes by constant and by variable, shuffles. */
/* EXPECT-FILE covered all */
typedef int four __attribute__((vector_size(16)));
typedef unsigned char bytes __attribute__((vector_size(16)));
typedef float floats __attribute__((vector_size(8)));

int dot(int a, int b)
{
    four x = {a, b, 3, 4}, y = {2, 3, 5, 7};
    four z = x * y + (four){1, 1, 1, 1};
    if (z[0] + z[1] + z[2] + z[3] == 1000) return 1;
    return 0;
}

int compared(int a)
{
    four limits = {10, 20, 30, 40};
    four above = (four){a, a, a, a} > limits;
    if (above[1] && !above[2]) return 1;
    return 0;
}

int lane(unsigned i, int a)
{
    four x = {a, a + 1, a + 2, a + 3};
    x[i & 3] = 5;
    if (x[(i + 1) & 3] == 103) return 1;
    return 0;
}

int shuffled(unsigned char a, unsigned char b)
{
    bytes x = {0};
    x[3] = a;
    x[7] = b;
    bytes y = __builtin_shufflevector(x, x, 7, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16);
    if (y[0] == 'x' && y[1] == 'y') return 1;
    return 0;
}

int halves(float a)
{
    floats x = {a, 2.0f};
    floats y = x + x;
    if (y[0] > y[1]) return 1;
    return 0;
}

int widened(short a)
{
    typedef short shorts __attribute__((vector_size(8)));
    shorts x = {a, 1, 2, 3};
    four y = __builtin_convertvector(x, four);
    if (y[0] == -300) return 1;
    return 0;
}
