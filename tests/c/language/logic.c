/* Conditions with many operators: short circuit, negation, conditional expressions, the comma. */
/* EXPECT-FILE covered all */
int drive_mode(int speed, int gear, int brake, int door, int belt)
{
    if ((speed > 5 && speed < 60 && (gear == 3 || gear == 4) && !brake) || (door == 0 && belt == 1 && speed == 0))
        return 1;
    return 0;
}

int conditional(int a, int b)
{
    int c = a > b ? a - b : b > 100 ? b : -1;
    return c == 5 ? 1 : c == 150 ? 2 : 3;
}

int comma(int a)
{
    int b;
    if (b = a * 2, b == 88) return 1;
    return 0;
}

int do_while(unsigned n)
{
    int steps = 0;
    do {
        n = n & 1 ? n * 3 + 1 : n / 2;
        steps++;
    } while (n > 1 && steps < 6);
    return steps;
}

/* Loops and values: each operand has two sides of its own, and one operand does not cover those of another. */
int loops(int a, int b, int c)
{
    int n = 0;
    while (n < 3 && (a == n || b != 7)) n++;
    for (; n < 6 && !(c == n && a != 2);) n++;
    do {
        n++;
    } while (!(n > 8 || (b == 9 && c < 3)));
    return n;
}

int values(int a, int b, int c)
{
    int both = a == 4 && b == 5;
    int nested = (a == 1 || (b == 2 && c == 3)) && c != 9;
    int chosen = b == 6 || c == 6 ? 3 : 4;
    return both + 2 * nested + chosen + !(a == 8 && b == 8);
}

int impossible(int n)
{
    n &= 3;
    while (n < 3
           && n != 9) /* EXPECT covered true */
        n++;
    return n;
}
