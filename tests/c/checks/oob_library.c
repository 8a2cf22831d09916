/* Out of bounds inside a library function: the alarm stands where the program calls it. */
#include <stdio.h>
#include <string.h>

int copied(unsigned n)
{
    char from[8] = "1234567", to[8];
    if (n > 64) return 0;
    memcpy(to, from, n); /* EXPECT alarm out-of-bounds where n > 8 */
    return n > 0 ? to[0] : 0;
}

int filled(int n)
{
    char to[8];
    if (n < 0 || n > 9) return 0;
    memset(to, 'a', (size_t)n); /* EXPECT alarm out-of-bounds where n = 9 */
    return 0;
}

int longer_text(int kind)
{
    char to[6];
    strcpy(to, kind == 3 ? "seventh" : "first"); /* EXPECT alarm out-of-bounds where kind = 3 */
    return to[0];
}

int unterminated(char a, char b)
{
    char text[2] = {a, b};
    return (int)strlen(text); /* EXPECT alarm out-of-bounds where a != 0 and b != 0 */
}

int longer_line(int kind)
{
    char line[8];
    if (kind != 3) return 0;
    return fgets(line, 16, stdin) != NULL; /* EXPECT alarm out-of-bounds where kind = 3 */
}

/* Called for real: found by what it leaves behind the object. */
int longer_number(int digits)
{
    char to[8];
    if (digits != 12) return 0;
    sprintf(to, "%0*d", digits, 5); /* EXPECT alarm out-of-bounds where digits = 12 */
    return to[0];
}

int just_too_long(int kind)
{
    char to[8];
    sprintf(to, "%s", kind == 3 ? "12345678" : "1234567"); /* EXPECT alarm out-of-bounds where kind = 3 */
    return to[0];
}

int safe_copy(unsigned n)
{
    char from[8] = "1234567", to[8];
    if (n > sizeof to) n = sizeof to;
    memcpy(to, from, n);
    return n > 0 ? to[0] : 0;
}

int safe_text(int kind)
{
    char to[8];
    strncpy(to, kind == 3 ? "seventh of seven" : "first", sizeof to - 1);
    to[7] = '\0';
    return (int)strlen(to);
}

int safe_line(void)
{
    char line[8];
    return fgets(line, sizeof line, stdin) != NULL;
}
