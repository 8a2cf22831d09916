/* EXPECT-FILE only contexts */
/* How much memory the program gets is decided by members that it keeps in step: where nothing but these makes it too little,
   the driver did. */
#include <stdlib.h>

struct stack {
    unsigned capacity, used;
    int *items;
};

int push(struct stack *stack, int item)
{
    if (!stack)
        return 0;
    if (stack->used >= stack->capacity) {
        int *more = realloc(stack->items, stack->capacity * 2 * sizeof *more);
        if (!more)
            return 0;
        stack->items = more;
        stack->capacity *= 2;
    }
    stack->items[stack->used++] = item; /* EXPECT alarm out-of-bounds unit doubtful */
    return 1;
}

int begin(struct stack *stack)
{
    if (!stack)
        return 0;
    stack->capacity = 8;
    stack->used = 0;
    stack->items = malloc(8 * sizeof *stack->items);
    return stack->items != 0 && push(stack, 1);
}
