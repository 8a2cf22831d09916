/* Objects too large for an index into them to be expressed: the access is concrete, the check is still there. */
#include <stdlib.h>

static char on_file_level[300000];

int global(unsigned i)
{
    return on_file_level[i]; /* EXPECT alarm out-of-bounds where i >= 300000 */
}

int stack(unsigned i)
{
    char local[200000];
    local[0] = 1;
    local[i] = 2; /* EXPECT alarm out-of-bounds where i >= 200000 */
    return local[0];
}

int heap(unsigned i)
{
    char *block = calloc(400000, 1);
    if (!block) return 0;
    int result = block[i]; /* EXPECT alarm out-of-bounds where i >= 400000 */
    free(block);
    return result;
}

int inside(unsigned i)
{
    char local[200000];
    local[i % 200000] = 2;
    return on_file_level[i % 300000];
}
