/* zlib on text-like data: compresses it, or (-DUNCOMPRESS) uncompresses what was compressed once. Linked with
 * the library's own sources. */
#include "../kernel.h"

#include <string.h>
#include <zlib.h>

#define SIZE (256u << 10)

static unsigned char text[SIZE], back[SIZE], packed[SIZE + SIZE / 8];

static void fill(void)
{
    static const char *const words[] = {"frame ", "signal ", "the ", "length ", "of ", "state ", "0x1f ", "\n"};
    unsigned at = 0;
    while (at < SIZE) {
        uint32_t r = kernel_random();
        const char *word = words[r & 7];
        for (unsigned i = 0; word[i] != '\0' && at < SIZE; i++) text[at++] = (unsigned char)word[i];
        if ((r >> 8 & 15) == 0 && at < SIZE) text[at++] = (unsigned char)(r >> 16);
    }
}

int main(int argc, char **argv)
{
    uint64_t sum = 0;
    uLongf length = sizeof packed;
    fill();
#ifdef UNCOMPRESS
    if (compress2(packed, &length, text, SIZE, 1) != Z_OK) return 1;
    for (unsigned n = kernel_repeats(argc, argv, 150); n > 0; n--) {
        uLongf got = SIZE;
        if (uncompress(back, &got, packed, length) != Z_OK || got != SIZE) return 1;
        sum = kernel_mix(sum, back[n * 997 % SIZE]);
    }
    if (memcmp(text, back, SIZE) != 0) return 1;
    return kernel_done("zlib uncompress", sum);
#else
    for (unsigned n = kernel_repeats(argc, argv, 12); n > 0; n--) {
        length = sizeof packed;
        if (compress2(packed, &length, text, SIZE, 6) != Z_OK) return 1;
        for (unsigned i = 0; i < length; i++) sum = kernel_mix(sum, packed[i]);
    }
    uLongf got = SIZE;
    if (uncompress(back, &got, packed, length) != Z_OK || memcmp(text, back, SIZE) != 0) return 1;
    return kernel_done("zlib compress", sum);
#endif
}
