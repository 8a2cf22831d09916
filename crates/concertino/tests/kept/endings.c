/* Cases end where the function does: what the program does at exit would find variables as the case has set them, and a
 * function that never returns ends the case. */
#include <stdlib.h>

struct table { int count, used; };

static struct table *table;

_Noreturn void give_up(int why);

__attribute__((destructor)) static void close_table(void)
{
    if (table && table->used > table->count)
        abort();
}

int room(int wanted)
{
    if (!table)
        return 0;
    if (wanted > 100)
        give_up(wanted);
    return table->used == 3 && table->count == 2;
}
