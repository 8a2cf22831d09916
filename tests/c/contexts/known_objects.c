/* A pointer into which the program puts nothing but the addresses of certain tables leads to one of them, also where
 * they are static in another file. */
/* EXPECT-FILE only contexts */
#include "link.h"

/* Trap: no table has a header of more than 6. */
int end_of_header(struct link *link)
{
    char message[8];
    if (!link || !link->operations) return 0;
    message[link->operations->header] = 1;
    return message[link->operations->header];
}

/* Trap: the functions of the tables fill 2 bytes at most, and both tables are tried. */
int filled(struct link *link)
{
    char message[4];
    int length;
    if (!link || !link->operations) return 0;
    length = link->operations->fill(link, message);
    message[length] = 0;
    return link->operations->header == 2 ? 1 : 2;
}

/* Bug: the long one has a header of 6. */
int short_buffer(struct link *link)
{
    char message[4];
    if (!link || !link->operations) return 0;
    message[link->operations->header] = 1; /* EXPECT alarm out-of-bounds unit reported */
    return message[0];
}

/* Anything is put there. */
int changing_header(struct link *link)
{
    char message[8];
    if (!link || !link->changing) return 0;
    message[link->changing->header] = 1; /* EXPECT alarm out-of-bounds unit */
    return message[0];
}
