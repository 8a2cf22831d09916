/* Memory comes from functions behind pointers: its size is what was asked for, whoever gives it. */
#include <stddef.h>

void *(*allocate)(size_t size);

struct memory {
    void *(*allocate)(void *owner, size_t size);
    void (*deallocate)(void *owner, void *block);
    void *owner;
};

int one_too_few(int count)
{
    char *block;
    int i;
    if (count < 1 || count > 12)
        return 0;
    block = allocate(count); /* EXPECT alarm null-dereference */
    if (!block)
        return 0;
    for (i = 0; i <= count; i++)
        block[i] = 0; /* EXPECT alarm out-of-bounds */
    return block[0];
}

int as_many_as_asked_for(struct memory memory, int count)
{
    int *block, i, result;
    if (!memory.allocate || !memory.deallocate || count < 1 || count > 12)
        return 0;
    block = memory.allocate(memory.owner, (size_t)count * sizeof *block);
    if (!block)
        return 0;
    for (i = 0; i < count; i++)
        block[i] = i;
    result = block[count - 1];
    memory.deallocate(memory.owner, block);
    return result;
}
