/* Nothing calls it: the alarm stays what it is. */
int get(const int *p)
{
    return *p; /* EXPECT alarm null-dereference unit */
}

int main(void)
{
    return 0;
}
