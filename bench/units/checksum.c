/* A packet whose checksums must fit: a table-driven CRC-8, a sum and a length, each asked for in turn. */
struct packet {
    unsigned char of[12];
};

static unsigned char table[256];

static unsigned char crc8(const unsigned char *data, int length)
{
    unsigned char crc = 0;
    for (int i = 0; i < 256; i++) {
        unsigned char c = (unsigned char)i;
        for (int k = 0; k < 8; k++) c = (unsigned char)(c & 0x80 ? c << 1 ^ 0x07 : c << 1);
        table[i] = c;
    }
    for (int i = 0; i < length; i++) crc = table[crc ^ data[i]];
    return crc;
}

int checksum(struct packet input)
{
    const unsigned char *packet = input.of;
    if (packet[0] != 0x7e) return -1;
    int length = packet[1];
    if (length > 8) return -2;
    unsigned sum = 0;
    for (int i = 0; i < length; i++) sum += packet[2 + i];
    if ((sum & 0xff) != packet[10]) return -3;
    if (crc8(packet + 2, length) != packet[11]) return -4;
    switch (packet[2]) {
    case 'R': return packet[3] < 16 ? 1 : 2;
    case 'W': return packet[3] + packet[4] == 99 ? 3 : 4;
    case 'S': return sum > 500 ? 5 : 6;
    default: return 0;
    }
}
