/* Variable arguments: only the function knows which is what. A driver gives numbers and pointers to what the function
 * takes; where it takes one for the other, that is the driver's guess, told as doubtful. What a function does with
 * numbers of the right kind is its own. */
/* EXPECT-FILE only contexts */
#include <stdarg.h>

struct sum { int count; int total; };

/* Trap: pointers to what is asked for, through a pointer to the list. */
static int add(struct sum *sum, va_list *list)
{
    int *to = va_arg(*list, int *);
    if (!to)
        return 0;
    *to += 1;
    sum->total += *to; /* EXPECT alarm null-dereference dropped */
    return 1;
}

int add_all(struct sum *sum, ...)
{
    va_list list;
    int done = 0;
    if (!sum)
        return 0;
    va_start(list, sum);
    for (int i = 0; i < sum->count && i < 2; i++)
        done += add(sum, &list);
    va_end(list);
    return done;
}

/* Trap: a number or a text, as the format says. */
int show(const char *format, va_list list)
{
    int sum = 0;
    if (!format)
        return 0;
    for (int i = 0; format[i] && i < 2; i++) {
        if (format[i] == 'd')
            sum += va_arg(list, int) == 5;
        if (format[i] == 's')
            sum += *va_arg(list, const char *) == 'x'; /* EXPECT alarm null-dereference unit doubtful */
    }
    return sum;
}

/* Bug: one too many is let through. */
int pick(int count, ...)
{
    static const int table[4] = {4, 3, 2, 1};
    va_list list;
    va_start(list, count);
    int at = va_arg(list, int);
    va_end(list);
    if (at < 0 || at > 4)
        return 0;
    return table[at]; /* EXPECT alarm out-of-bounds unit reported */
}

/* Bug: the third one, a number with a point, is never looked at. */
int part(int whole, ...)
{
    va_list list;
    va_start(list, whole);
    int of = va_arg(list, int);
    double share = va_arg(list, double);
    va_end(list);
    if (share < 0.5)
        return 0;
    return whole / of; /* EXPECT alarm division-by-zero unit reported */
}
