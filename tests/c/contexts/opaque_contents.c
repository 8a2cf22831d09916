/* An object of a type that only another file knows may be all zero when a driver makes it; the program's are not, unless
 * something in the program says so. */
/* EXPECT-FILE only contexts */
struct box;
int *box_numbers(struct box *box);

/* Trap: every box has numbers. */
int first_of(struct box *box)
{
    int *numbers;
    if (!box)
        return 0;
    numbers = box_numbers(box);
    return numbers[0]; /* EXPECT alarm null-dereference unit doubtful */
}

/* Bug: there are none. */
int none_of(struct box *box)
{
    int *numbers = 0;
    if (!box)
        return 0;
    return numbers[0]; /* EXPECT alarm null-dereference unit reported */
}
