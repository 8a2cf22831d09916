/* Objects that are gone: of a block that was left, of a function that returned. */
#include <stddef.h>

static int *kept;

static void remember(void)
{
    int local = 5;
    kept = &local;
}

int after_return(int x)
{
    if (x != 8) return 0;
    remember();
    return *kept; /* EXPECT alarm use-after-free with callees where x = 8 */ /* EXPECT alarm null-dereference with stubs */
}

int after_block(int x)
{
    int *p = NULL, other = 1;
    p = &other;
    if (x == 3) {
        int inner = 4;
        p = &inner;
        *p = 5;
    }
    return *p; /* EXPECT alarm use-after-free where x = 3 */
}
