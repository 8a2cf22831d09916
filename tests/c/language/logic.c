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
