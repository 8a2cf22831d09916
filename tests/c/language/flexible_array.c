/* A struct that ends in an array of unknown length, and its two older spellings. */
#include <stdlib.h>

struct message { unsigned char length; char text[]; };
struct message_gnu { unsigned char length; char text[0]; };
struct message_old { unsigned char length; char text[1]; };

int last_byte(unsigned char length)
{
    struct message *m = malloc(sizeof *m + 4);
    if (!m) return 0;
    m->length = length;
    for (int i = 0; i < 4; i++) m->text[i] = (char)('a' + i);
    int last = 0;
    if (m->length > 0) last = m->text[m->length - 1]; /* EXPECT alarm out-of-bounds where length > 4 */
    free(m);
    return last;
}

int older_spellings(unsigned char i)
{
    struct message_gnu *g = malloc(sizeof *g + 4);
    struct message_old *o = malloc(sizeof *o + 4);
    int hit = 0;
    if (g && o) {
        for (int k = 0; k < 4; k++) g->text[k] = o->text[k] = (char)k;
        if (g->text[i & 3] + o->text[i & 3] == 6) hit = 1; /* EXPECT covered all */
    }
    free(g);
    free(o);
    return hit;
}
