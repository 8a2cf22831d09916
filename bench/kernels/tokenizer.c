/* A tokenizer for a C-like language: identifiers, keywords, numbers, strings, comments, operators. */
#include "kernel.h"

enum token { END, IDENTIFIER, KEYWORD, NUMBER, STRING, OPERATOR, BAD };

struct lexer {
    const char *at;
    int line;
};

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static int is_digit(char c) { return c >= '0' && c <= '9'; }

static int is_keyword(const char *s, int n)
{
    static const char *const words[] = {"if", "else", "while", "return", "int", "for"};
    for (unsigned w = 0; w < sizeof words / sizeof *words; w++) {
        int i = 0;
        while (i < n && words[w][i] == s[i]) i++;
        if (i == n && words[w][i] == '\0') return 1;
    }
    return 0;
}

static void skip_blanks(struct lexer *l)
{
    for (;;) {
        if (*l->at == '\n') {
            l->line++;
            l->at++;
        } else if (*l->at == ' ' || *l->at == '\t') {
            l->at++;
        } else if (l->at[0] == '/' && l->at[1] == '/') {
            while (*l->at != '\0' && *l->at != '\n') l->at++;
        } else if (l->at[0] == '/' && l->at[1] == '*') {
            l->at += 2;
            while (*l->at != '\0' && !(l->at[0] == '*' && l->at[1] == '/')) l->line += *l->at++ == '\n';
            if (*l->at != '\0') l->at += 2;
        } else {
            return;
        }
    }
}

static enum token number(struct lexer *l, uint64_t *value)
{
    *value = 0;
    if (l->at[0] == '0' && l->at[1] == 'x') {
        for (l->at += 2; is_digit(*l->at) || (*l->at >= 'a' && *l->at <= 'f'); l->at++)
            *value = *value * 16 + (uint64_t)(is_digit(*l->at) ? *l->at - '0' : *l->at - 'a' + 10);
    } else {
        for (; is_digit(*l->at); l->at++) *value = *value * 10 + (uint64_t)(*l->at - '0');
    }
    return is_letter(*l->at) ? BAD : NUMBER;
}

static enum token next(struct lexer *l, uint64_t *value)
{
    skip_blanks(l);
    const char *start = l->at;
    *value = 0;
    if (*l->at == '\0') return END;
    if (is_letter(*l->at)) {
        while (is_letter(*l->at) || is_digit(*l->at)) *value = *value * 31 + (uint64_t)*l->at++;
        return is_keyword(start, (int)(l->at - start)) ? KEYWORD : IDENTIFIER;
    }
    if (is_digit(*l->at)) return number(l, value);
    if (*l->at == '"') {
        for (l->at++; *l->at != '"'; l->at++) {
            if (*l->at == '\0' || *l->at == '\n') return BAD;
            if (*l->at == '\\' && l->at[1] != '\0') l->at++;
            *value += (uint64_t)*l->at;
        }
        l->at++;
        return STRING;
    }
    *value = (uint64_t)*l->at++;
    if (*l->at == '=' || (*l->at == start[0] && (start[0] == '&' || start[0] == '|'))) *value += (uint64_t)*l->at++ << 8;
    return OPERATOR;
}

static const char source[] =
    "int gcd(int a, int b) { while (b != 0) { int t = a % b; a = b; b = t; } return a; }\n"
    "/* a comment\n of two lines */ for (i = 0; i <= 0x1f && ok; i = i + 1) { s = \"te\\\"xt\"; }\n"
    "// to the end\nif (x1 == 42) return y_2; else z = 7 * (3 + 4) / 2; bad = 12ab; \"open\n";

int main(int argc, char **argv)
{
    uint64_t sum = 0;
    for (unsigned n = kernel_repeats(argc, argv, 60000); n > 0; n--) {
        struct lexer l = {source, 1};
        uint64_t value;
        enum token token;
        while ((token = next(&l, &value)) != END) sum = kernel_mix(sum, value * 8 + token);
        sum = kernel_mix(sum, (uint64_t)l.line);
    }
    return kernel_done("tokenizer", sum);
}
