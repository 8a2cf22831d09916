/* Buffers that end where a parameter says: the search has to ask for the length that is too short by one. */
/* EXPECT-FILE only contexts */
#include <string.h>

int header(const unsigned char *data, int len)
{
    if (len < 4)
        return -1;
    if (data[0] != 0x7f || data[1] != 'E' || data[2] != 'L')
        return 0;
    if (data[3] == 2)
        return data[4]; /* EXPECT alarm out-of-bounds unit reported where len = 4 */
    return 1;
}

int header_right(const unsigned char *data, int len)
{
    if (len < 5)
        return -1;
    if (data[0] != 0x7f || data[1] != 'E' || data[2] != 'L')
        return 0;
    return data[4];
}

/* A record says how long it is; its trailer is read without a look at what is left. */
int trailer(const unsigned char *data, int len)
{
    int size;
    if (len < 2)
        return -1;
    size = data[1];
    if (size > len - 2)
        return -1;
    return data[2 + size]; /* EXPECT alarm out-of-bounds unit reported */
}

int trailer_right(const unsigned char *data, int len)
{
    int size;
    if (len < 3)
        return -1;
    size = data[1];
    if (size > len - 3)
        return -1;
    return data[2 + size];
}

/* A block is copied as long as it says. */
int copy(const unsigned char *data, int len)
{
    unsigned char block[16];
    if (len < 1 || data[0] > sizeof block)
        return -1;
    memcpy(block, data + 1, data[0]); /* EXPECT alarm out-of-bounds unit reported */
    return block[0];
}

int copy_right(const unsigned char *data, int len)
{
    unsigned char block[16];
    if (len < 1 || data[0] > sizeof block || data[0] > len - 1)
        return -1;
    memcpy(block, data + 1, data[0]);
    return block[0];
}
