/* Functions inside functions are an extension of another compiler. */
/* EXPECT-FILE rejected function definition is not allowed here */
int outer(int x)
{
    int inner(int y) { return x + y; }
    return inner(3);
}
