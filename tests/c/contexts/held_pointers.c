/* A pointer that lies in an object which the driver made is the driver's making: where following it leads nowhere, the
 * program has to show that it can be so. What the program puts there itself, or returns, is another matter. */
/* EXPECT-FILE only contexts */
#include <stdlib.h>

struct mapping {
    int kind;
    int *steps;
};

struct decoder {
    int channels;
    float *buffers[4];
    struct mapping *mapping;
};

void decoder_init(struct decoder *decoder, struct mapping *mapping)
{
    if (!decoder)
        return;
    decoder->channels = 2;
    decoder->mapping = mapping;
}

/* Another function asks: null may be there at some time. */
int decoder_kind(const struct decoder *decoder)
{
    return decoder && decoder->mapping ? decoder->mapping->kind : -1;
}

/* Trap: every decoder that is open has one. */
int decoder_steps(struct decoder *decoder, int at)
{
    struct mapping *map;
    if (!decoder || at < 0 || at >= decoder->channels)
        return 0;
    map = decoder->mapping;
    return map->kind; /* EXPECT alarm null-dereference unit doubtful */
}

static float mixes(float **data, int channel)
{
    return data[channel & 3][0]; /* EXPECT alarm null-dereference feasible doubtful */
}

/* Trap: the elements are set when the decoder is opened. */
float decoder_mixes(float **data, int channel)
{
    if (!data)
        return 0;
    return mixes(data, channel);
}

/* Bug: it asks, and goes on. */
int decoder_asks(struct decoder *decoder)
{
    int kind = 0;
    if (!decoder)
        return 0;
    if (!decoder->mapping)
        kind = 1;
    return kind + decoder->mapping->kind; /* EXPECT alarm null-dereference unit reported */
}

/* Bug: it puts the null pointer there itself. */
int decoder_resets(struct decoder *decoder, int hard)
{
    if (!decoder || hard != 42)
        return 0;
    decoder->mapping = 0;
    return decoder->mapping->kind; /* EXPECT alarm null-dereference unit reported */
}
