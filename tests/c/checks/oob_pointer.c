/* Out of bounds through a pointer that has moved since it was taken. */
static const char hex[] = "0123456789abcdef";

char by_pointer(int digit)
{
    const char *p = hex;
    p += digit;
    return *p; /* EXPECT alarm out-of-bounds where digit < 0 or digit > 16 */
}

int until_marker(unsigned char marker)
{
    const char *p = hex;
    while (*p != marker) p++; /* EXPECT alarm out-of-bounds */
    return (int)(p - hex);
}

/* A wide access of which only a part lies inside. */
unsigned wide_access(unsigned at)
{
    if (at > 16) return 0;
    unsigned value;
    const char *p = hex + at;
    value = *(const unsigned *)p; /* EXPECT alarm out-of-bounds where at >= 14 */
    return value;
}

char safe_pointer(unsigned digit)
{
    const char *p = hex + (digit & 15), *end = hex + sizeof hex;
    return p < end ? *p : '?';
}
