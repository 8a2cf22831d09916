/* A backtracking matcher: the pattern is fixed, the ten bytes of text are the input. */
struct text {
    char of[10];
};

static int matches_one(const char *pattern, char c)
{
    if (c == '\0') return 0;
    if (*pattern == '.') return 1;
    if (*pattern == '#') return c >= '0' && c <= '9';
    if (*pattern == '@') return c >= 'a' && c <= 'z';
    return *pattern == c;
}

static int matches_here(const char *pattern, const char *text)
{
    for (; *pattern != '\0'; pattern++, text++) {
        if (pattern[1] == '*') {
            int most = 0;
            while (matches_one(pattern, text[most])) most++;
            for (; most >= 0; most--)
                if (matches_here(pattern + 2, text + most)) return 1;
            return 0;
        }
        if (!matches_one(pattern, *text)) return 0;
    }
    return 1;
}

int regex(struct text text)
{
    char line[11];
    for (int i = 0; i < 10; i++) line[i] = text.of[i];
    line[10] = '\0';
    int found = 0;
    for (const char *from = line; *from != '\0'; from++) {
        if (matches_here("@@*=##*;", from)) found |= 1;
        if (matches_here("a.*b.*c", from)) found |= 2;
    }
    return found;
}
