/* Memory copied by functions, by pointers to functions, by assignment, by hand. */
/* EXPECT-FILE covered all */
/* EXPECT-FILE flags -fno-builtin */
#include <string.h>

typedef void *copier(void *, const void *, size_t);

int by_function(char a, char b)
{
    char from[4] = {a, b, 0, 0}, to[4];
    memcpy(to, from, 4);
    memmove(to + 1, to, 2);
    if (to[1] == 'p' && to[2] == 'q') return 1;
    return 0;
}

int by_pointer(int x)
{
    copier *const copy = memcpy;
    int y = 0;
    copy(&y, &x, sizeof y);
    if (y == 77) return 1;
    return 0;
}

int filled(unsigned char value)
{
    unsigned char bytes[6];
    memset(bytes, value, sizeof bytes);
    if (bytes[5] == 9) return 1;
    return 0;
}

struct pair { short a; long b; };

int by_assignment(struct pair p)
{
    struct pair q[2];
    q[1] = p;
    q[0] = q[1];
    if (q[0].b == -5 && q[0].a == 3) return 1;
    return 0;
}
