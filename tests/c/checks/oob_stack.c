/* Out of bounds of an array on the stack. */
int read_stack(int i)
{
    int squares[6] = {0, 1, 4, 9, 16, 25};
    return squares[i]; /* EXPECT alarm out-of-bounds where i < 0 or i > 5 */
}

int loop_one_too_far(int n)
{
    int sums[4] = {0}, total = 0;
    if (n < 0 || n > 4) return 0;
    for (int i = 0; i <= n; i++) sums[i] = i * n; /* EXPECT alarm out-of-bounds where n = 4 */
    for (int i = 0; i < 4; i++) total += sums[i];
    return total;
}

int two_dimensions(int row, int column)
{
    int grid[3][4] = {{0}};
    if (row < 0 || row > 3 || column < 0 || column > 3) return 0;
    return grid[row][column]; /* EXPECT alarm out-of-bounds where row = 3 */
}

int safe_stack(unsigned i)
{
    int squares[6] = {0, 1, 4, 9, 16, 25};
    return squares[i % 6];
}
