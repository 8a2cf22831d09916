/* Does not parse: the message names file, line and what was expected. */
/* EXPECT-FILE rejected expected ';' */
int broken(int x)
{
    int y = x + 1
    return y;
}
