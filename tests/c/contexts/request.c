/* A request that is never asked how long it is: one alarm, that names the other places. */
/* EXPECT-FILE only contexts */
int answer(const unsigned char *request, unsigned length)
{
    int sum = 0;
    if (!request || length > 64) return -1;
    switch (request[0]) {              /* EXPECT alarm out-of-bounds unit reported */
    case 1: sum = request[1]; break;   /* EXPECT alarm out-of-bounds unit joined */
    case 2: sum = request[2]; break;   /* EXPECT alarm out-of-bounds unit joined */
    case 3: sum = request[3]; break;   /* EXPECT alarm out-of-bounds unit joined */
    case 4: sum = request[4]; break;   /* EXPECT alarm out-of-bounds unit joined */
    case 5: sum = request[5]; break;   /* EXPECT alarm out-of-bounds unit joined */
    case 6: sum = request[6]; break;   /* EXPECT alarm out-of-bounds unit joined */
    }
    return sum;
}

/* Two places are one remark too: that it takes more than there is. */
int both_ends(const unsigned char *request, unsigned length)
{
    if (!request || length > 64) return -1;
    if (request[0] == 7) /* EXPECT alarm out-of-bounds unit joined */
        return request[length]; /* EXPECT alarm out-of-bounds unit reported */
    return 0;
}
