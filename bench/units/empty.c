/* A unit that does nothing: what an execution costs by itself. */
void empty(void) {}
