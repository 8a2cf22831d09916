/* Labels as values: a table of targets indexed by an opcode. */
/* EXPECT-FILE covered all */
int interpret(unsigned char a, unsigned char b)
{
    static const void *const targets[] = {&&halt, &&add, &&multiply, &&negate};
    unsigned char program[3] = {a & 3, b & 3, 0};
    int at = 0, value = 6;
    goto *targets[program[at++]];
add:
    value += 4;
    goto *targets[program[at++]];
multiply:
    value *= 2;
    goto *targets[program[at++]];
negate:
    value = -value;
    goto *targets[program[at++]];
halt:
    if (value == 20) return 1;
    if (value == -12) return 2;
    return 0;
}
