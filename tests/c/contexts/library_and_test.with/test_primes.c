/* The only program there is. */
int prime(unsigned number);
int prime_of_pair(unsigned pair);

int main(void)
{
    return prime(4) == 11 && prime_of_pair(8) == 11 ? 0 : 1;
}
