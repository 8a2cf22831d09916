/* Traps of unrelated pointers and lengths: the ends of buffers are where they belong. */
#include <stddef.h>

struct input {
    const unsigned char *content;
    size_t length;
    size_t offset;
};

static int spaces(const char *text, const char *end)
{
    int count = 0;
    while (text < end)
        count += *text++ == ' '; /* EXPECT alarm out-of-bounds dropped */ /* EXPECT alarm null-dereference dropped */
    return count;
}

static int next(struct input *input)
{
    if (!input || input->offset >= input->length)
        return -1;
    return input->content[input->offset]; /* EXPECT alarm out-of-bounds dropped */ /* EXPECT alarm null-dereference dropped */
}

static int last(struct input *input)
{
    if (!input || input->offset > input->length)
        return -1;
    return input->content[input->offset]; /* EXPECT alarm out-of-bounds unit */ /* EXPECT alarm null-dereference unit */
}

int (*readers[])(struct input *) = {next, last};
int (*counters[])(const char *, const char *) = {spaces};
