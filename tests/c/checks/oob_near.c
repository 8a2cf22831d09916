/* An overrun that can be of any size is shown by a small one, which every build and every sanitizer sees. */
static int table[8];
#include <string.h>

int above(unsigned index)
{
    if (index == 3) return 0;
    return table[index]; /* EXPECT alarm out-of-bounds where index >= 8 and index <= 24 */
}

int below(int index)
{
    if (index >= 8) return 0;
    return table[index]; /* EXPECT alarm out-of-bounds where index < 0 and index >= -16 */
}

int far(unsigned index)
{
    if (index < 1000) return 0;
    return table[index]; /* EXPECT alarm out-of-bounds where index >= 1000 */
}

void block(const char *text, unsigned long length)
{
    char room[20];
    if (!text || length > 5000) return;
    memset(room, text[0], length); /* EXPECT alarm out-of-bounds where length > 20 and length <= 36 */
}
