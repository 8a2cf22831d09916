/* The printf family against the C library's: every combination of flags, width, precision, length and
 * conversion, with values at the edges. */
#include "check.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int ctn_model_snprintf(char *to, size_t size, const char *format, ...);
int ctn_model_sprintf(char *to, const char *format, ...);
int ctn_model_asprintf(char **to, const char *format, ...);

#define BOTH(size, ...)                                                                                  \
    do {                                                                                                 \
        char model[512], real[512];                                                                      \
        memset(model, '#', sizeof model);                                                                \
        memset(real, '#', sizeof real);                                                                  \
        SAME(ctn_model_snprintf(model, size, __VA_ARGS__), snprintf(real, size, __VA_ARGS__), format);   \
        checks++;                                                                                        \
        if (memcmp(model, real, sizeof real) != 0)                                                       \
            differs(__FILE__, __LINE__, model, format);                                                  \
    } while (0)

static const char *const flags[] = {"", "-", "+", " ", "#", "0", "-+", "+0", "#0", "- #", "-0", "+ 0#"};
static const char *const sizes[] = {"", "1", "5", "12", ".0", ".3", "8.3", "3.8", ".", "20.10"};

static void check_integers_printed(void)
{
    static const long long values[] = {0, 1, -1, 9, 10, 99, 100, 255, -128, 4095, 65535, INT_MAX, INT_MIN, UINT_MAX,
                                       999999999, 1000000000, LLONG_MAX, LLONG_MIN, 123456789012345};
    static const char *const lengths[] = {"", "hh", "h", "l", "ll", "j", "z", "t"};
    char format[32];
    for (unsigned f = 0; f < sizeof flags / sizeof *flags; f++)
        for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (unsigned l = 0; l < sizeof lengths / sizeof *lengths; l++)
                for (const char *c = "diuoxX"; *c; c++) {
                    sprintf(format, "<%%%s%s%s%c>", flags[f], sizes[s], lengths[l], *c);
                    for (unsigned v = 0; v < sizeof values / sizeof *values; v++) {
                        if (l < 3)
                            BOTH(512, format, (int)values[v]);
                        else
                            BOTH(512, format, values[v]);
                    }
                }
}

static void check_texts(void)
{
    static const char *const values[] = {"", "a", "longer text", NULL};
    char format[32];
    for (unsigned f = 0; f < 2; f++)
        for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            sprintf(format, "[%%%s%ss]", flags[f], sizes[s]);
            for (unsigned v = 0; v < 4; v++)
                for (unsigned room = 0; room < 40; room += 3) BOTH(room, format, values[v]);
            sprintf(format, "[%%%s%sc]", flags[f], sizes[s]);
            BOTH(512, format, 'x');
            sprintf(format, "[%%%s%sp]", flags[f], sizes[s]);
            BOTH(512, format, (void *)0x12ab);
            BOTH(512, format, (void *)0);
            sprintf(format, "[%%%s%sls]", flags[f], sizes[s]);
            BOTH(512, format, L"wide");
        }
}

static void check_reals_printed(void)
{
    static const double values[] = {0.0, -0.0, 1.5, -2.25, 1e10, 1e-10, 123456.789, 1.0 / 3, 1e300, 5e-324};
    char format[32];
    for (unsigned f = 0; f < sizeof flags / sizeof *flags; f++)
        for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (const char *c = "eEfFgGa"; *c; c++)
                for (unsigned v = 0; v < sizeof values / sizeof *values; v++) {
                    sprintf(format, "%%%s%s%c", flags[f], sizes[s], *c);
                    BOTH(512, format, values[v]);
                    sprintf(format, "%%%s%sL%c", flags[f], sizes[s], *c);
                    BOTH(512, format, (long double)values[v]);
                }
}

static void check_mixtures(void)
{
    const char *format = "%d %s %5.2f|%-*d|%.*s|%c%% %lx %n";
    int model_count = 0, real_count = 0;
    char model[256], real[256], *made = NULL;
    SAME(ctn_model_sprintf(model, format, -5, "text", 3.14159, 6, 42, 2, "abc", 'z', 0xbeefUL, &model_count),
         sprintf(real, format, -5, "text", 3.14159, 6, 42, 2, "abc", 'z', 0xbeefUL, &real_count), format);
    SAME(strcmp(model, real), 0, model);
    SAME(model_count, real_count, "%n");
    format = "%*d|%-*d|%.*d|%.*d";
    SAME(ctn_model_asprintf(&made, format, -6, 1, -6, 2, -1, 3, 4, 5), sprintf(real, format, -6, 1, -6, 2, -1, 3, 4, 5),
         format);
    SAME(strcmp(made, real), 0, made);
    free(made);
    format = "100%% and %y and %";
    BOTH(512, format, 1);
    format = "%hhd %hd %hhu %hu";
    BOTH(512, format, 300, 70000, -1, -1);
}

void check_formats(void)
{
    check_integers_printed();
    check_texts();
    check_reals_printed();
    check_mixtures();
}
