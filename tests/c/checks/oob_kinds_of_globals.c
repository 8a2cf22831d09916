/* Out-of-bounds accesses of globals of every kind of linkage. */
/* EXPECT-FILE flags -fcommon */
__thread int thread_local_table[4];
static __thread char hidden_table[3];
__attribute__((weak)) int weak_table[4] = {1, 2, 3, 4};
int common_table[4];

int of_thread(unsigned i)
{
    if (i > 4) return 0;
    return thread_local_table[i]; /* EXPECT alarm out-of-bounds where i = 4 */
}

int of_hidden(unsigned i)
{
    if (i > 3) return 0;
    hidden_table[i] = 1; /* EXPECT alarm out-of-bounds where i = 3 */
    return hidden_table[0];
}

int of_weak(unsigned i)
{
    if (i > 4) return 0;
    return weak_table[i]; /* EXPECT alarm out-of-bounds where i = 4 */
}

int of_common(unsigned i)
{
    if (i > 4) return 0;
    return common_table[i]; /* EXPECT alarm out-of-bounds where i = 4 */
}

int within(unsigned i)
{
    i &= 3;
    return thread_local_table[i] + weak_table[i] + common_table[i] + hidden_table[i % 3];
}
