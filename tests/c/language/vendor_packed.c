/* `__packed` before the keyword: clang would lay the members out as if it were not there. */
/* EXPECT-FILE rejected `__packed` is understood after `struct`, not before it */
__packed struct frame { char kind; int length; };

int length(struct frame *frame) { return frame ? frame->length : 0; }
