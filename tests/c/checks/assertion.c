/* The program's own assertions, and abort. */
#include <assert.h>
#include <stdlib.h>

int asserted(int x)
{
    assert(x * 3 != 21); /* EXPECT alarm assertion where x = 7 */
    return x;
}

void aborted(int x, int y)
{
    if (x == 3 && y == x + 4) abort(); /* EXPECT alarm assertion where x = 3 and y = 7 */
}

void unreachable_code(unsigned kind)
{
    switch (kind & 3) {
    case 0: case 1: case 2: break;
    default: assert(!"kind"); /* EXPECT alarm assertion */
    }
}

int safe_assert(unsigned x)
{
    assert((x & 1) + (~x & 1) == 1);
    return (int)(x & 1);
}
