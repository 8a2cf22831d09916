/* EXPECT-FILE covered all */
/* Members that point to an incomplete type, or to nothing in particular: the file knows what is there. */
struct hidden;

struct stream {
    struct hidden *state;
    void *owner;
};

struct state {
    int mode;
};

struct owner {
    int rights;
};

int mode(struct stream stream)
{
    struct state *state = (struct state *)stream.state;
    if (!state)
        return 1;
    return state->mode == 42 ? 2 : 3;
}

int may_write(struct stream stream)
{
    const struct owner *owner;
    if (!stream.owner)
        return 0;
    owner = stream.owner;
    return owner->rights == 6 ? 2 : 1;
}
