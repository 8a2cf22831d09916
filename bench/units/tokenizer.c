/* A tokenizer for expressions over sixteen bytes: names, keywords, numbers, strings, operators. */
struct text {
    char of[16];
};

struct tokens {
    int names, keywords, numbers, strings, operators, bad;
};

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static int is_digit(char c) { return c >= '0' && c <= '9'; }

static int is_keyword(const char *word, int length)
{
    static const char *const keywords[] = {"if", "else", "while", "int"};
    for (int k = 0; k < 4; k++) {
        int i = 0;
        while (i < length && keywords[k][i] == word[i]) i++;
        if (i == length && keywords[k][i] == '\0') return 1;
    }
    return 0;
}

int tokenizer(struct text input)
{
    const char *text = input.of;
    struct tokens seen = {0, 0, 0, 0, 0, 0};
    int at = 0;
    while (at < 16 && text[at] != '\0') {
        int start = at;
        char c = text[at++];
        if (c == ' ' || c == '\t' || c == '\n') continue;
        if (is_letter(c)) {
            while (at < 16 && (is_letter(text[at]) || is_digit(text[at]))) at++;
            if (is_keyword(text + start, at - start)) seen.keywords++;
            else seen.names++;
        } else if (is_digit(c)) {
            while (at < 16 && is_digit(text[at])) at++;
            seen.numbers++;
        } else if (c == '"') {
            while (at < 16 && text[at] != '"' && text[at] != '\0') at++;
            if (at < 16 && text[at] == '"') {
                at++;
                seen.strings++;
            } else {
                seen.bad++;
            }
        } else if (c == '+' || c == '-' || c == '*' || c == '/' || c == '=' || c == '<' || c == '(' || c == ')') {
            if (at < 16 && text[at] == '=') at++;
            seen.operators++;
        } else {
            seen.bad++;
        }
    }
    return seen.keywords * 100 + seen.names * 10 + seen.numbers + seen.strings + seen.operators - seen.bad;
}
