/* Out of bounds of an array inside a struct: the neighbour is overwritten, the object is not left. */
struct channel {
    char name[4];
    int gain;
};

struct channel channels[2];

int member_index(int i)
{
    if (i < 0 || i > 7) return 0;
    channels[0].name[i] = 'x'; /* EXPECT alarm out-of-bounds where i > 3 */
    return channels[0].gain;
}

int safe_member(unsigned channel, unsigned i)
{
    channels[channel & 1].name[i & 3] = 'x';
    return channels[channel & 1].gain;
}
