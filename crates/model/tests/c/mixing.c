/* Every place is made of others, over and over, as in a cipher: what is known of them is found once. */
#define ROUND(a, b, c, d, m) \
    v[a] = v[a] + v[b] + m; v[d] = v[d] ^ v[a]; v[c] = v[c] + v[d]; v[b] = v[b] ^ v[c]; \
    v[a] = v[a] + v[b] + m; v[d] = v[d] ^ v[a]; v[c] = v[c] + v[d]; v[b] = v[b] ^ v[c];
#define ROUNDS \
    ROUND(0, 4, 8, 12, k[0]) ROUND(1, 5, 9, 13, k[1]) ROUND(2, 6, 10, 14, k[2]) ROUND(3, 7, 11, 15, k[3]) \
    ROUND(0, 5, 10, 15, k[4]) ROUND(1, 6, 11, 12, k[5]) ROUND(2, 7, 8, 13, k[6]) ROUND(3, 4, 9, 14, k[7])

void mix(unsigned *state, const unsigned *k) {
    unsigned v[16];
    for (int i = 0; i < 16; i++)
        v[i] = state[i];
    ROUNDS ROUNDS ROUNDS ROUNDS ROUNDS ROUNDS ROUNDS ROUNDS
    for (int i = 0; i < 8; i++)
        state[i] = v[i] ^ v[i + 8];
}
