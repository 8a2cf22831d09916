/* One number says how far a function goes in several pieces of memory; and the number of arguments. */
/* EXPECT-FILE only contexts */
#include <stddef.h>
#include <stdint.h>

void interleaves(const short *left, const short *right, short *out, size_t frames)
{
    size_t i;
    for (i = 0; i < frames; i++) {
        out[2 * i] = left[i];
        out[2 * i + 1] = right[i];
    }
}

void interleaves_more(const short *left, const short *right, short *out, size_t frames)
{
    size_t i;
    for (i = 0; i < frames; i++) {
        out[2 * i] = left[i];
        out[2 * i + 1] = right[i + 1]; /* EXPECT alarm out-of-bounds unit reported */
    }
}

int first_letters(int argc, char **argv)
{
    int sum = 0, i;
    for (i = 0; i < argc; i++)
        sum += argv[i][0];
    return sum;
}

int value_of_option(int argc, char **argv)
{
    int i;
    for (i = 1; i < argc; i++)
        if (argv[i][0] == '-')
            return argv[i + 1][0]; /* EXPECT alarm null-dereference unit reported */
    return 0;
}

int mean(const uint16_t *samples, uint8_t count)
{
    unsigned sum = 0;
    int i;
    if (count == 0)
        return 0;
    for (i = 0; i < count; i++)
        sum += samples[i];
    return (int)(sum / count);
}

int mean_of_one_more(const uint16_t *samples, uint8_t count)
{
    unsigned sum = 0;
    int i;
    if (count == 0)
        return 0;
    for (i = 0; i <= count; i++)
        sum += samples[i]; /* EXPECT alarm out-of-bounds unit reported */
    return (int)(sum / count);
}
