/* Numbers that a program reads from data can be any: that what holds them is not looked at where it matters is a fault. What
 * somebody compares with something after reading it may be kept within that. */
/* EXPECT-FILE only contexts */
#include <stdio.h>
#include <string.h>

struct entry { unsigned short method, version, level; };
struct frame { unsigned char tag, size; };

static struct entry entry;
static struct frame frame;
static int counts[16];
static const char *const levels[4] = {"none", "fast", "best", "all"};

static unsigned acc, channel;
static const int channels[2] = {1, 2};

/* Some of the bits that were read, as many as the program takes. */
static unsigned take(unsigned bits)
{
    unsigned value = acc & ((1u << bits) - 1);
    acc >>= bits;
    return value;
}

void fill(const unsigned char *bytes)
{
    if (bytes)
        acc = (unsigned)bytes[0] | (unsigned)(bytes[1] & 0xff) << 8;
}

void read_channel(void)
{
    channel = take(1);
}

int channel_size(void)
{
    return channels[channel]; /* EXPECT alarm out-of-bounds unit doubtful */
}

static unsigned short word(const unsigned char *at)
{
    return (unsigned short)(at[0] | at[1] << 8);
}

int read_entry(const unsigned char *bytes, size_t length)
{
    if (!bytes || length < 6)
        return -1;
    entry.method = word(bytes);
    entry.version = (unsigned short)(bytes[2] % 10);
    entry.level = word(bytes + 4);
    return entry.level > 3 ? -1 : 0;
}

int show_method(char *to)
{
    char name[5] = "u###";
    if (entry.method < 8)
        strcpy(name, "stor");
    else
        sprintf(&name[1], "%03u", entry.method); /* EXPECT alarm out-of-bounds unit reported */
    return to ? name[0] : 0;
}

char show_level(void)
{
    return levels[entry.level][0]; /* EXPECT alarm out-of-bounds unit doubtful */
}

size_t take_frame(FILE *from)
{
    return from ? fread(&frame, sizeof frame, 1, from) : 0;
}

int frame_count(void)
{
    return counts[frame.size]; /* EXPECT alarm out-of-bounds unit reported */
}
