/* Writing to what is constant. */
static const int limits[3] = {1, 2, 3};

int known_target(int x)
{
    char *text = (char *)"constant";
    if (x == 12) text[0] = 'C'; /* EXPECT alarm other where x = 12 */
    return text[0];
}

static int *pick(unsigned which) { return (int *)&limits[which % 3]; }

int computed_target(unsigned which)
{
    int *limit = pick(which);
    if (which == 7) *limit = 9; /* EXPECT alarm other with callees where which = 7 */ /* EXPECT alarm null-dereference with stubs */
    return *limit; /* EXPECT alarm null-dereference with stubs */
}
