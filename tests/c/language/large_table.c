/* A constant table of 16 KiB, larger than other objects that are read at an address out of the input: what it holds is
 * looked for. */
/* EXPECT-FILE covered all */
struct entry { unsigned key; short index, length; };

#define E(n) {(n) * 7919u % 65521u, (n) % 251, (n) % 3 + 1}
#define E4(n) E(n), E((n) + 1), E((n) + 2), E((n) + 3)
#define E16(n) E4(n), E4((n) + 4), E4((n) + 8), E4((n) + 12)
#define E64(n) E16(n), E16((n) + 16), E16((n) + 32), E16((n) + 48)
#define E256(n) E64(n), E64((n) + 64), E64((n) + 128), E64((n) + 192)
static const struct entry table[2048] = {
    E256(0), E256(256), E256(512), E256(768), E256(1024), E256(1280), E256(1536), E256(1792)
};

int probe(unsigned at)
{
    if (at >= 2048) return -1;
    if (table[at].key == 19199) return table[at].length;
    return 0;
}
