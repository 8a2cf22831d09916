/* A copy that is too short for what is put into it: one remark, that names the places. */
/* EXPECT-FILE only contexts */
#include <stdlib.h>

struct word { char *text; unsigned length; };

/* The text ends with a quote, wherever that is. */
int unquoted(const struct word *word)
{
    const char *from;
    char *copy, *to;
    int first;
    if (!word || !word->text || word->length > 8) return -1;
    copy = to = malloc(word->length + 1);
    if (!copy) return -1;
    for (from = word->text; *from && *from != '"'; from++) {
        if (*from == '\\') {
            switch (*++from) {
            case 'n': *to++ = 10; break;  /* EXPECT alarm out-of-bounds unit joined */
            case 't': *to++ = 9; break;   /* EXPECT alarm out-of-bounds unit joined */
            case 'r': *to++ = 13; break;  /* EXPECT alarm out-of-bounds unit joined */
            case 'b': *to++ = 8; break;   /* EXPECT alarm out-of-bounds unit joined */
            case 'f': *to++ = 12; break;  /* EXPECT alarm out-of-bounds unit joined */
            default: free(copy); return -1;
            }
        } else
            *to++ = *from; /* EXPECT alarm out-of-bounds unit reported */
    }
    *to = 0; /* EXPECT alarm out-of-bounds unit joined */
    first = copy[0];
    free(copy);
    return first;
}
