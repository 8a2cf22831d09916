/* EXPECT-FILE only contexts */
/* An index that the function compares with nothing, into memory whose length only the program knows, is for callers; one
   that it does compare, wrongly, is reported. */

struct entry {
    int key, value;
};

struct list {
    int used;
    struct entry *entries;
};

static struct list *names;

void set_names(struct list *list)
{
    names = list;
}

int value_of(int number)
{
    if (!names || !names->entries)
        return 0;
    return names->entries[number].value; /* EXPECT alarm out-of-bounds unit doubtful */
}

/* The length of an array is known to everybody. */
static int squares[8];

int square_of(int number)
{
    if (number < 0 || number > 8)
        return -1;
    return squares[number]; /* EXPECT alarm out-of-bounds unit reported */
}
