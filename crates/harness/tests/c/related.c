/* Members and parameters that belong together: pointers into one buffer, a buffer and its length, allocators, a
 * member that points to what the file knows it as. */
#include <stddef.h>

struct text {
    char *start, *end, *pointer;
};

struct content {
    const unsigned char *content;
    size_t length, offset;
};

struct hidden;
struct state {
    int mode;
};
struct stream {
    struct hidden *state;
    void *(*allocate)(void *owner, size_t size);
    void (*release)(void *block);
};

int room(struct text *text)
{
    return text->pointer < text->end;
}

int next(struct content *content)
{
    return content->offset < content->length ? content->content[content->offset] : -1;
}

int mode(struct stream *stream)
{
    struct state *state = (struct state *)stream->state;
    return state ? state->mode : 0;
}

int spaces(const char *text, const char *end)
{
    int count = 0;
    while (text < end)
        count += *text++ == ' ';
    return count;
}

int sum(const unsigned char *bytes, size_t length)
{
    size_t i;
    int sum = 0;
    for (i = 0; i < length; i++)
        sum += bytes[i];
    return sum;
}

int skip(const char **text, const char *end)
{
    while (*text < end && **text == ' ')
        ++*text;
    return *text < end;
}

/* Where it ends is what it says. */
int number(const char *text, const char **end)
{
    *end = text;
    return 0;
}

/* A length of memory of no type is one in bytes, also where the file makes records of it. */
struct packet { void *payload; unsigned short len; };
struct header { unsigned short kind, source, target, sum; unsigned sequence[3]; };

int kind_of(const struct packet *packet)
{
    const struct header *header = packet->payload;
    return packet->len < sizeof *header ? -1 : header->kind;
}
