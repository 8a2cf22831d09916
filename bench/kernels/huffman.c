/* Builds a Huffman code for a text, encodes and decodes it: trees, a priority queue, a bit stream. */
#include "kernel.h"

#include <string.h>

enum { SYMBOLS = 256, NODES = 2 * SYMBOLS, TEXT = 2000 };

struct node { uint32_t weight; int16_t left, right; };
struct code { uint32_t bits; uint8_t length; };

static struct node nodes[NODES];
static struct code codes[SYMBOLS];
static int node_count;

static int lightest(const uint8_t *taken)
{
    int best = -1;
    for (int i = 0; i < node_count; i++)
        if (!taken[i] && nodes[i].weight > 0 && (best < 0 || nodes[i].weight < nodes[best].weight)) best = i;
    return best;
}

static int build(void)
{
    uint8_t taken[NODES] = {0};
    for (;;) {
        int a = lightest(taken);
        taken[a] = 1;
        int b = lightest(taken);
        if (b < 0) return a;
        taken[b] = 1;
        nodes[node_count] = (struct node){nodes[a].weight + nodes[b].weight, (int16_t)a, (int16_t)b};
        node_count++;
    }
}

static void assign(int at, uint32_t bits, int length)
{
    if (nodes[at].left < 0) {
        codes[at] = (struct code){bits, (uint8_t)length};
        return;
    }
    assign(nodes[at].left, bits << 1, length + 1);
    assign(nodes[at].right, bits << 1 | 1, length + 1);
}

static unsigned encode(const uint8_t *text, int n, uint8_t *out)
{
    unsigned at = 0;
    for (int i = 0; i < n; i++)
        for (int k = codes[text[i]].length - 1; k >= 0; k--, at++)
            if (codes[text[i]].bits >> k & 1) out[at / 8] |= (uint8_t)(1 << at % 8);
    return at;
}

static int decode(const uint8_t *in, unsigned bits, int root, uint8_t *out)
{
    int n = 0, at = root;
    for (unsigned i = 0; i < bits; i++) {
        at = in[i / 8] >> (i % 8) & 1 ? nodes[at].right : nodes[at].left;
        if (nodes[at].left < 0) {
            out[n++] = (uint8_t)at;
            at = root;
        }
    }
    return n;
}

int main(int argc, char **argv)
{
    static uint8_t text[TEXT], packed[TEXT * 4], back[TEXT];
    uint64_t sum = 0;
    for (unsigned n = kernel_repeats(argc, argv, 600); n > 0; n--) {
        for (int i = 0; i < SYMBOLS; i++) nodes[i] = (struct node){0, -1, -1};
        node_count = SYMBOLS;
        memset(packed, 0, sizeof packed);
        for (int i = 0; i < TEXT; i++) {
            uint32_t r = kernel_random();
            text[i] = (uint8_t)("etaoin shrdlucmfw"[r % 17 * (r >> 8 & 1)] + (r >> 20 == 0));
            nodes[text[i]].weight++;
        }
        int root = build();
        assign(root, 0, 0);
        unsigned bits = encode(text, TEXT, packed);
        if (decode(packed, bits, root, back) != TEXT || memcmp(text, back, TEXT) != 0) return 1;
        sum = kernel_mix(sum, bits);
    }
    return kernel_done("huffman", sum);
}
