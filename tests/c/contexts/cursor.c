/* A cursor that is handed over by its address, beside the end of what it runs over. */
/* EXPECT-FILE only contexts */
/* EXPECT-FILE covered all */

/* Trap: it looks for the end first. */
int spaces(const unsigned char **at, const unsigned char *end)
{
    int count = 0;
    while (*at < end && **at == ' ') {
        ++*at;
        ++count;
    }
    return count;
}

/* Bug: two characters after one look. */
int escaped(const unsigned char **text, const unsigned char *end)
{
    if (*text >= end)
        return -1;
    if (*(*text)++ != '\\')
        return 0;
    return *(*text)++; /* EXPECT alarm out-of-bounds unit reported */
}

/* Trap: where it came to is told beside it. */
int letters(const unsigned char **start, const unsigned char *end, const unsigned char **next)
{
    const unsigned char *at = *start;
    if (!next)
        return -1;
    *next = 0;
    while (at < end && *at >= 'a' && *at <= 'z')
        at++;
    if (at == end)
        return -1;
    *next = at;
    return *at == '.';
}
