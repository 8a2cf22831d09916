/* Checksums over a buffer: CRC-32 by table and by bit, Adler-32, Fletcher-16. */
#include "kernel.h"

static uint32_t crc_table[256];

static void fill_crc_table(void)
{
    for (uint32_t n = 0; n < 256; n++) {
        uint32_t c = n;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        crc_table[n] = c;
    }
}

static uint32_t crc_by_table(const uint8_t *p, unsigned n)
{
    uint32_t c = ~0u;
    for (unsigned i = 0; i < n; i++) c = crc_table[(c ^ p[i]) & 255] ^ c >> 8;
    return ~c;
}

static uint32_t crc_by_bit(const uint8_t *p, unsigned n)
{
    uint32_t c = ~0u;
    for (unsigned i = 0; i < n; i++) {
        c ^= p[i];
        for (int k = 0; k < 8; k++) c = c >> 1 ^ (0xedb88320u & (0u - (c & 1)));
    }
    return ~c;
}

static uint32_t adler(const uint8_t *p, unsigned n)
{
    uint32_t a = 1, b = 0;
    for (unsigned i = 0; i < n; i++) {
        a = (a + p[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static uint16_t fletcher(const uint8_t *p, unsigned n)
{
    unsigned a = 0, b = 0;
    for (unsigned i = 0; i < n; i++) {
        a += p[i];
        if (a >= 255) a -= 255;
        b += a;
        if (b >= 255) b -= 255;
    }
    return (uint16_t)(b << 8 | a);
}

int main(int argc, char **argv)
{
    static uint8_t buffer[4096];
    uint64_t sum = 0;
    fill_crc_table();
    for (unsigned n = kernel_repeats(argc, argv, 400); n > 0; n--) {
        for (unsigned i = 0; i < sizeof buffer; i++) buffer[i] = (uint8_t)kernel_random();
        uint32_t fast = crc_by_table(buffer, sizeof buffer), slow = crc_by_bit(buffer, sizeof buffer);
        if (fast != slow) return 1;
        sum = kernel_mix(sum, fast);
        sum = kernel_mix(sum, adler(buffer, sizeof buffer));
        sum = kernel_mix(sum, fletcher(buffer, sizeof buffer));
    }
    return kernel_done("checksum", sum);
}
