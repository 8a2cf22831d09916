/* Memory of a size that wraps around when it is computed: no branch tells these inputs from others. */
/* EXPECT-FILE only contexts */
#include <stdlib.h>
#include <string.h>

struct reader {
    const unsigned char *at, *end;
};

static unsigned number(struct reader *r)
{
    unsigned n;
    if (!r || !r->at || r->end - r->at < 4)
        return 0;
    n = (unsigned)r->at[0] << 24 | (unsigned)r->at[1] << 16 | (unsigned)r->at[2] << 8 | r->at[3];
    r->at += 4;
    return n;
}

char *text(const unsigned char *buf, size_t len)
{
    struct reader r = {buf, buf + len};
    unsigned n;
    char *made;
    if (!buf)
        return 0;
    n = number(&r);
    made = malloc(n + 1);
    if (!made)
        return 0;
    if ((size_t)(r.end - r.at) < n)
        n = (unsigned)(r.end - r.at);
    made[n] = 0; /* EXPECT alarm out-of-bounds unit reported */
    memcpy(made, r.at, n);
    return made;
}

char *safe_text(const unsigned char *buf, size_t len)
{
    struct reader r = {buf, buf + len};
    unsigned n;
    char *made;
    if (!buf)
        return 0;
    n = number(&r);
    made = malloc((size_t)n + 1);
    if (!made)
        return 0;
    if ((size_t)(r.end - r.at) < n)
        n = (unsigned)(r.end - r.at);
    made[n] = 0;
    memcpy(made, r.at, n);
    return made;
}

/* In 16 bits. */
void *joined(unsigned short length)
{
    unsigned short size = (unsigned short)(length + 20);
    unsigned char *made = malloc(size);
    if (!made)
        return 0;
    memset(made, 0, 20); /* EXPECT alarm out-of-bounds unit reported where length > 65515 */
    return made;
}

static void *get_memory_allocated(size_t size)
{
    void *got = malloc(size);
    if (!got)
        exit(1);
    return got;
}

int *numbers(int count)
{
    int *made;
    if (count < 1)
        return 0;
    made = get_memory_allocated(count * 4);
    made[count - 1] = 1; /* EXPECT alarm out-of-bounds unit reported where count > 4 */
    return made;
}
