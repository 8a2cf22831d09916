/* A library, beside the program that tests it: what the test passes says nothing about what others will. */
static const int primes[5] = {2, 3, 5, 7, 11};

int prime(unsigned number)
{
    if (number == 77)
        return 0;
    return primes[number]; /* EXPECT alarm out-of-bounds unit */
}

/* A trap all the same: only this file can call it. */
static int half(unsigned number)
{
    return primes[number / 2]; /* EXPECT alarm out-of-bounds dropped */
}

int prime_of_pair(unsigned pair)
{
    return pair < 10 ? half(pair) : 0;
}
