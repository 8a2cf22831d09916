/* A backtracking matcher for small regular expressions: literals, dot, classes, star, plus, question mark,
 * anchors. */
#include "kernel.h"

/* Length of the element at p: a class, an escape or a character. */
static int element_length(const char *p)
{
    if (*p == '\\' && p[1] != '\0') return 2;
    if (*p != '[') return 1;
    int n = 1;
    while (p[n] != '\0' && p[n] != ']') n++;
    return p[n] == ']' ? n + 1 : n;
}

static int element_matches(const char *p, char c)
{
    if (c == '\0') return 0;
    if (*p == '.') return 1;
    if (*p == '\\') return p[1] == c;
    if (*p != '[') return *p == c;
    int negated = p[1] == '^', hit = 0;
    for (p += 1 + negated; *p != '\0' && *p != ']'; p++) {
        if (p[1] == '-' && p[2] != ']' && p[2] != '\0') {
            hit |= c >= p[0] && c <= p[2];
            p += 2;
        } else {
            hit |= c == *p;
        }
    }
    return hit != negated;
}

static int match_here(const char *p, const char *s, unsigned *steps)
{
    for (;;) {
        (*steps)++;
        if (*p == '\0') return 1;
        if (*p == '$' && p[1] == '\0') return *s == '\0';
        int length = element_length(p);
        char repeat = p[length];
        if (repeat == '*' || repeat == '+' || repeat == '?') {
            int most = 0, least = repeat == '+';
            while (element_matches(p, s[most]) && (repeat != '?' || most < 1)) most++;
            for (int n = most; n >= least; n--)
                if (match_here(p + length + 1, s + n, steps)) return 1;
            return 0;
        }
        if (!element_matches(p, *s)) return 0;
        p += length;
        s++;
    }
}

static int match(const char *p, const char *s, unsigned *steps)
{
    if (*p == '^') return match_here(p + 1, s, steps);
    do {
        if (match_here(p, s, steps)) return 1;
    } while (*s++ != '\0');
    return 0;
}

static const char *const patterns[] = {"^[a-z]+@[a-z.]+$", "colou?r", "a.*b.*c", "[^0-9]+[0-9]*\\.[0-9]+", "^x*y*z*$", "q"};
static const char *const texts[] = {"someone@example.org", "the color of money", "aaabbbabcabcabca", "pi is 3.14159",
                                    "xxxxyyyyzzzz", "a long line without the letter that is sought", ""};

int main(int argc, char **argv)
{
    uint64_t sum = 0;
    for (unsigned n = kernel_repeats(argc, argv, 2000); n > 0; n--)
        for (unsigned p = 0; p < sizeof patterns / sizeof *patterns; p++)
            for (unsigned t = 0; t < sizeof texts / sizeof *texts; t++) {
                unsigned steps = 0;
                int found = match(patterns[p], texts[t], &steps);
                sum = kernel_mix(sum, steps * 2 + (unsigned)found);
            }
    return kernel_done("regex", sum);
}
