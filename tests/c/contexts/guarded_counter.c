/* How far a buffer of a file's own is filled: looked at before it grows, or not. */
/* EXPECT-FILE only contexts */
/* EXPECT-FILE assuming ranges */
#include <string.h>

static char line[32];
static unsigned used;

int receives(char c)
{
    if (c == '\n') {
        line[used] = 0; /* EXPECT alarm out-of-bounds unit doubtful */
        used = 0;
        return 1;
    }
    line[used++] = c; /* EXPECT alarm out-of-bounds unit joined */
    return 0;
}

static char safe_line[32];
static unsigned safe_used;

int receives_safely(char c)
{
    if (c == '\n') {
        safe_line[safe_used] = 0;
        safe_used = 0;
        return 1;
    }
    if (safe_used < sizeof safe_line - 1)
        safe_line[safe_used++] = c;
    return 0;
}

static char names[8][16];
static int count;

int adds(const char *name)
{
    if (!name || count >= 8)
        return -1;
    strncpy(names[count], name, sizeof names[0] - 1);
    return count++;
}

const char *last(void)
{
    return count > 0 ? names[count - 1] : 0;
}

char first_of_last(void)
{
    return count > 0 ? names[count - 1][0] : 0;
}

/* One more than there is. */
static int marks[8];
static int marked;

int marks_one(int n)
{
    if (marked > 8)
        return -1;
    marks[marked++] = n; /* EXPECT alarm out-of-bounds unit reported */
    return 0;
}
