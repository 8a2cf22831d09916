/* A buffer that a parser keeps, and that all its functions take to hold what they want: one remark, not one for each. Reading
 * there is doubtful: how much there is, is what the program keeps. */
/* EXPECT-FILE only contexts */
struct parser { char *at; unsigned long left; struct { int *top; int used; } stack; };

void comments(struct parser *p) { if (p && p->at) p->at[20] = '#'; } /* EXPECT alarm out-of-bounds unit reported */
void words(struct parser *q) { if (q && q->at) q->at[21] = 'a'; } /* EXPECT alarm out-of-bounds unit joined */
void numbers(struct parser *r) { if (r && r->at) r->at[22] = '0'; } /* EXPECT alarm out-of-bounds unit joined */
void pushes(struct parser *p) { if (p && p->stack.top) p->stack.top[30] = 0; } /* EXPECT alarm out-of-bounds unit reported */
int top_of(struct parser *p) { return p && p->stack.top ? p->stack.top[30] : 0; } /* EXPECT alarm out-of-bounds unit joined */
