/* MAIST, figure 6: the branches depend on what a function pointer points to. Two functions of the program
 * are assigned to it, in two other functions. */
enum { OK, ERR_LOW_GAS, ERR_DOOR };

int (*check)(int);

static int check_gas(int level) { return level < 10 ? ERR_LOW_GAS : OK; }
static int check_door(int closed) { return closed ? OK : ERR_DOOR; }

void select_gas(void) { check = check_gas; }
int select_door(void)
{
    check = check_door;
    return 1;
}

int warnings[3];

void do_check(int value)
{
    if (!check) return;
    int result = check(value);
    if (result == OK) warnings[OK]++;                   /* EXPECT covered all */
    if (result == ERR_LOW_GAS) warnings[ERR_LOW_GAS]++; /* EXPECT covered all */
    if (result == ERR_DOOR) warnings[ERR_DOOR]++;       /* EXPECT covered all */
}
