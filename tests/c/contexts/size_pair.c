/* A trap and a bug with pointer and length: one caller tells the truth, the other does not. */
static int last(const int *items, int count)
{
    return items[count - 1]; /* EXPECT alarm out-of-bounds dropped */ /* EXPECT alarm null-dereference dropped */
}

static int first_odd(const int *items, int count)
{
    int i;
    for (i = 0; i < count; i++)
        if (items[i] % 2) /* EXPECT alarm out-of-bounds feasible */ /* EXPECT alarm null-dereference dropped */
            return i;
    return -1;
}

int main(int argc, char **argv)
{
    int four[4] = {2, 4, 6, 8};
    (void)argv;
    if (argc > 2)
        return last(four, 4);
    return first_odd(four, 5);
}
