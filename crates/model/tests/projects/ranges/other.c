/* What another unit does to the globals of the first. */
extern int shared;
int elsewhere = 1;

void keep(int *where)
{
    shared = 9;
    *where = 1;
}
