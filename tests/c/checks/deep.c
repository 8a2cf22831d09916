/* A fault that takes several steps: only one combination of inputs leads to it, through calls and loops. */
#include <stdlib.h>
#include <string.h>

static int checksum(const unsigned char *bytes, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++) sum = (sum * 3 + bytes[i]) & 0xff; /* EXPECT alarm out-of-bounds dropped */ /* EXPECT alarm null-dereference dropped */
    return sum;
}

int packet(unsigned char a, unsigned char b, unsigned char c, unsigned char sum)
{
    unsigned char bytes[3] = {a, b, c};
    static const int sizes[4] = {1, 2, 4, 8};
    if (a != 0x7e) return 0;
    if ((b & 0xf0) != 0x50) return 0;
    if (checksum(bytes, 3) != sum) return 0;
    return sizes[b & 0xf]; /* EXPECT alarm out-of-bounds where a = 126 and b >= 84 */
}

enum state { IDLE, HEADER, BODY };

int machine(unsigned char first, unsigned char second, unsigned char third)
{
    unsigned char input[3] = {first, second, third};
    enum state state = IDLE;
    int left = 0;
    for (int i = 0; i < 3; i++) {
        switch (state) {
        case IDLE: if (input[i] == 0x55) state = HEADER; break;
        case HEADER: left = input[i] & 7; state = BODY; break;
        case BODY: return 100 / (left - 3) + input[i]; /* EXPECT alarm division-by-zero where first = 85 */
        }
    }
    return state;
}
