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

struct key {
    int kind;
    const char *name;
};

struct keys {
    struct key *start, *end, *top;
};

/* Not a stack: where the last one is, the list says. */
struct list {
    struct piece {
        struct piece *next;
        int value;
    } *first, *last;
};

struct output {
    unsigned char *buffer;
    size_t size;
    size_t *size_written;
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

int summed(struct keys *keys, struct list *list)
{
    int sum = 0;
    struct key *key;
    for (key = keys->start; key != keys->top; key++)
        sum += key->kind;
    return sum + (list->first == list->last);
}

int put(struct output *output, int byte)
{
    if (*output->size_written == output->size)
        return 0;
    output->buffer[(*output->size_written)++] = (unsigned char)byte;
    return 1;
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

/* Two pieces of memory with a length each. Where they are the same, so are the lengths. */
unsigned enter(const unsigned char *key, unsigned klen, const unsigned char *value, unsigned vlen)
{
    unsigned sum = 0;
    while (klen-- > 0) sum += *key++;
    while (vlen-- > 0) sum += *value++;
    return sum;
}

/* A number beside a buffer and its size is no length. */
void decimal(char *result, size_t bufsize, int number)
{
    char *to = result, *digit = result + bufsize - 1;
    int rest = number < 0 ? -number : number;
    if (bufsize < 2) {
        if (bufsize == 1) *result = 0;
        return;
    }
    if (number < 0) *to++ = '-';
    *digit = 0;
    while (rest != 0 && digit > to) {
        *--digit = (char)('0' + rest % 10);
        rest /= 10;
    }
    if (rest != 0) {
        *result = 0;
        return;
    }
    if (*digit == 0) *to++ = '0';
    while (*digit != 0) *to++ = *digit++;
    *to = 0;
}

/* Two lengths of one piece of memory; it is the same as itself whatever they are. */
size_t last(const unsigned char *bytes, size_t size, size_t count)
{
    return count < size ? bytes[count] : 0;
}
