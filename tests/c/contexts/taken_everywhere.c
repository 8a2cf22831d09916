/* A buffer that a parser keeps, and that all its functions take to hold what they want: one remark, not one for each. */
/* EXPECT-FILE only contexts */
struct parser { char *at; unsigned long left; struct { int *top; int used; } stack; };

int is_comment(struct parser *p) { return p && p->at && p->at[20] == '#'; } /* EXPECT alarm out-of-bounds unit reported */
int is_word(struct parser *q) { return q && q->at && q->at[21] == 'a'; } /* EXPECT alarm out-of-bounds unit joined */
int is_number(struct parser *r) { return r && r->at && r->at[22] == '0'; } /* EXPECT alarm out-of-bounds unit joined */
int is_end(struct parser *p) { return p && p->at && p->at[23] == 0; } /* EXPECT alarm out-of-bounds unit joined */
int is_line(struct parser *p) { return p && p->at && p->at[24] == 10; } /* EXPECT alarm out-of-bounds unit joined */
int is_space(struct parser *p) { return p && p->at && p->at[25] == 32; } /* EXPECT alarm out-of-bounds unit joined */
int top_of(struct parser *p) { return p && p->stack.top ? p->stack.top[30] : 0; } /* EXPECT alarm out-of-bounds unit reported */
