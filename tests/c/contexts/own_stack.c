/* Memory that a function gets on its stack, and that is too short for much of what follows, is one remark. */
/* EXPECT-FILE only contexts */
#include <alloca.h>

int spreads(int number, const int *codes, int codes_count)
{
    int at, sum = 0, *marks;
    if (number < 1 || number > 8 || !codes)
        return -1;
    marks = alloca(number * sizeof *marks);
    for (at = 0; at < number; at++)
        marks[at] = 0;
    for (at = 0; at < codes_count; at++) {
        if (codes[at] < 0 || codes[at] > 9)
            return -1;
        if (at == 0)
            marks[codes[at]] = 1; /* EXPECT alarm out-of-bounds unit reported */
        else
            marks[codes[at]] += at; /* EXPECT alarm out-of-bounds unit joined */
    }
    for (at = 0; at < number; at++)
        sum += marks[at];
    return sum;
}
