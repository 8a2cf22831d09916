/* How many elements a parameter leads to, where the function says so: one, where nothing walks through it, whatever lengths
 * are beside it; as many as its declaration asks for. */
/* EXPECT-FILE only contexts */

/* `used` and `error` are results, not buffers of `data_length` numbers. */
int opens(const unsigned char *data, int data_length, int *data_used, int *error)
{
    int at, sum = 0;
    if (!data || !data_used || !error)
        return -1;
    for (at = 0; at < data_length; at++)
        sum += data[at];
    if (sum == 7) { /* EXPECT covered all */
        *error = 1;
        return 0;
    }
    *data_used = sum;
    error[0] = 0;
    return 1;
}

static void reports(int *count, int value)
{
    if (count)
        *count = value;
}

/* Handed on, it is still one. */
int counts(const char *text, int text_length, int *text_count)
{
    int at, found = 0;
    if (!text || !text_count)
        return 0;
    for (at = 0; at < text_length; at++)
        found += text[at] == 'x';
    reports(text_count, found);
    return *text_count;
}

/* Numbers that are walked through end where their length says. */
int adds(const int *numbers, int numbers_count)
{
    int at, sum = 0;
    if (!numbers)
        return 0;
    for (at = 0; at <= numbers_count; at++)
        sum += numbers[at]; /* EXPECT alarm out-of-bounds */
    return sum;
}

int matches(const unsigned char mask[16], const unsigned char address[16])
{
    int at;
    if (!mask || !address)
        return 0;
    for (at = 0; at < 16; at++)
        if (mask[at] & address[at]) /* EXPECT covered all */
            return 1;
    return 0;
}
