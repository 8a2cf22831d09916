/* EXPECT-FILE only contexts */
/* EXPECT-FILE assuming ranges */
/* A counter of the file's own counts up: it is not below zero; a table that nothing writes is as it stands. */
static int used;
static int all[4];
int steps[] = { 1, 2, 0, 3 };

int take(int which)
{
    if (used >= 4)
        return -1;
    all[used] = steps[which & 3] == 4 ? all[9] : which;
    used++;
    return 0;
}
