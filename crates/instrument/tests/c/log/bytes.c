// w=305419896 c=120
#include <string.h>
#include "ctn.h"
union view { unsigned word; unsigned char bytes[4]; };
struct flags { unsigned low : 3, middle : 7, high : 22; };
int main(void)
{
    union view v;
    struct flags f;
    char c, text[4] = "abc";
    ctn_value(&v.word, sizeof v.word, CTN_ROOT("w"));
    ctn_value(&c, sizeof c, CTN_ROOT("c"));
    memcpy(&f, &v, sizeof f);
    text[1] = c;
    int joined;
    memcpy(&joined, text, sizeof joined);
    if (v.bytes[1] == 0x57)
        return 1;
    if (f.middle == 9)
        return 2;
    if (joined == 0x63ff61)
        return 3;
    return 0;
}
