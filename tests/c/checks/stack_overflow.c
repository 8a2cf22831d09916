/* Recursion without an end for one input. */
int depth(int n)
{
    if (n == 0) return 0;
    if (n == 77) return depth(n) + 1; /* EXPECT alarm stack-overflow */
    return 1;
}

int safe_depth(unsigned n)
{
    n &= 15;
    return n == 0 ? 0 : 1 + safe_depth(n - 1);
}
