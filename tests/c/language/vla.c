/* Arrays whose length is known at run time, on the stack and as parameters. */
int length_from_input(int n, int i)
{
    if (n < 1 || n > 8) return 0;
    int squares[n];
    for (int k = 0; k < n; k++) squares[k] = k * k;
    if (i < 0) return 0;
    return squares[i]; /* EXPECT alarm out-of-bounds */
}

int two_dimensions(int rows, int a, int b)
{
    if (rows != 3) return 0;
    int grid[rows][rows + 1];
    for (int i = 0; i < rows; i++)
        for (int k = 0; k <= rows; k++) grid[i][k] = i == 2 && k == 3 ? a : b;
    if (grid[2][3] == 9 && grid[1][0] == 8) return 1; /* EXPECT covered all */
    return sizeof grid == 12 * sizeof(int);
}

int by_alloca(unsigned n)
{
    char *p = __builtin_alloca(16);
    for (int i = 0; i < 16; i++) p[i] = (char)i;
    if (p[n & 15] == 13) return 1; /* EXPECT covered all */
    return 0;
}
