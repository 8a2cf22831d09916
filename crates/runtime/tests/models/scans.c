/* The scanf family and getopt against the C library's, on texts and command lines made of what matters to them. */
#define _GNU_SOURCE
#include "check.h"

#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int ctn_model_sscanf(const char *text, const char *format, ...);
int ctn_model_fscanf(FILE *stream, const char *format, ...);
FILE *ctn_model_tmpfile(void);
int ctn_model_fputs(const char *text, FILE *stream);
void ctn_model_rewind(FILE *stream);
int ctn_model_getc(FILE *stream);
int ctn_model_fclose(FILE *stream);
int ctn_model_getopt(int argc, char *const *argv, const char *letters);
int ctn_model_getopt_long(int argc, char *const *argv, const char *letters, const struct option *options, int *index);
int ctn_model_getopt_long_only(int argc, char *const *argv, const char *letters, const struct option *options,
                               int *index);

/* Room for any three results; compared as bytes. */
typedef struct { char a[64], b[64], c[64]; } results;

static void one_scan(const char *text, const char *format)
{
    results model, real;
    char given[160];
    memset(&model, 7, sizeof model);
    memset(&real, 7, sizeof real);
    snprintf(given, sizeof given, "%s <- %s", format, text);
    SAME(ctn_model_sscanf(text, format, model.a, model.b, model.c), sscanf(text, format, real.a, real.b, real.c), given);
    SAME(memcmp(&model, &real, sizeof model), 0, given);
}

static void check_scans(void)
{
    static const char *const formats[] = {
        "%d", "%d %d", "%i%i", "%3d%n", "%u,%u", "%x", "%4x%s", "%o%c", "%ld:%ld", "%hd", "%hhd%n", "%s", "%5s%s",
        "%c%c%c", "%3c%n", "%[a-f]%s", "%[^,],%s", "%[]x]%n", "%[^]]%n", "%*d%d", "%*s %s", " %d", "a%db", "%d%%%d",
        "%p", "%lf", "%f%n", "%3lf%s", "%lg,%n", "%le%s", "%zu", "%jd", "%d-%d-%d", "%s%n", "%*[a-z]%d", "x%nab", "%1s%1s",
    };
    char text[24];
    for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++)
        for (unsigned round = 0; round < 300; round++) {
            static const char *const alphabets[] = {"0123456789 +-", "0x1fa. -e", "ab,]-% 12\n", "infnaty+-.e1", NULL};
            any_text(text, 12, alphabets[below(5)]);
            one_scan(text, formats[f]);
        }
    static const char *const numbers[] = {"99999999999999999999", "-99999999999999999999", "2147483648", "0x", "0xg", "08", "",
                                          " ", "-", "+-1", "1e", "1e+", ".", "-.5", "1.5e3x", "inf", "infinit", "nanx", "0x1p3"};
    for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++)
        for (unsigned n = 0; n < sizeof numbers / sizeof *numbers; n++) one_scan(numbers[n], formats[f]);
    char *model = NULL, *real = NULL;
    SAME(ctn_model_sscanf("  word rest", "%ms", &model), sscanf("  word rest", "%ms", &real), "%ms");
    CHECK(model && real && strcmp(model, real) == 0, "%ms");
    free(model);
    free(real);
}

static void check_stream_scans(void)
{
    FILE *model = ctn_model_tmpfile(), *real = tmpfile();
    const char *text = "12 abc 3.5,x\n-7";
    ctn_model_fputs(text, model);
    fputs(text, real);
    ctn_model_rewind(model);
    rewind(real);
    int a = 0, b = 0;
    char c[16] = "", d[16] = "";
    SAME(ctn_model_fscanf(model, "%d %s", &a, c), fscanf(real, "%d %s", &b, d), text);
    CHECK(a == b && strcmp(c, d) == 0, c);
    SAME(ctn_model_fscanf(model, "%d.%d", &a, &a), fscanf(real, "%d.%d", &b, &b), text);
    SAME(ctn_model_getc(model), getc(real), "the first character that did not fit");
    SAME(ctn_model_fscanf(model, " x %d", &a), fscanf(real, " x %d", &b), text);
    SAME(a, b, text);
    SAME(ctn_model_fscanf(model, "%d", &a), fscanf(real, "%d", &b), "at the end");
    ctn_model_fclose(model);
    fclose(real);
}

/* --- options ---------------------------------------------------------------------------------------------------- */

static int flag;
static const struct option options[] = {
    {"verbose", no_argument, NULL, 'v'},     {"version", no_argument, NULL, 'V'}, {"output", required_argument, NULL, 'o'},
    {"color", optional_argument, NULL, 'c'}, {"flag", no_argument, &flag, 42},    {"output-file", required_argument, NULL, 'o'},
    {NULL, 0, NULL, 0},
};

static void one_command_line(int argc, char **words, const char *letters, int how)
{
    char *model[9] = {0}, *real[9] = {0}, given[160] = "";
    for (int i = 0; i < argc; i++) {
        model[i] = real[i] = words[i];
        strcat(strcat(given, words[i]), " ");
    }
    struct { int result, index, optind, optopt, flag; char *optarg; } seen[20];
    for (int side = 0; side < 2; side++) {
        char **argv = side ? real : model;
        optind = 0;
        opterr = 0;
        flag = 0;
        for (int n = 0; n < 20; n++) {
            int index = -1, result;
            if (how == 0)
                result = (side ? getopt : ctn_model_getopt)(argc, argv, letters);
            else if (how == 1)
                result = (side ? getopt_long : ctn_model_getopt_long)(argc, argv, letters, options, &index);
            else
                result = (side ? getopt_long_only : ctn_model_getopt_long_only)(argc, argv, letters, options, &index);
            if (side == 0) {
                seen[n].result = result, seen[n].index = index, seen[n].optind = optind;
                seen[n].optopt = optopt, seen[n].flag = flag, seen[n].optarg = optarg;
            } else {
                SAME(seen[n].result, result, given);
                SAME(seen[n].index, index, given);
                SAME(seen[n].optind, optind, given);
                if (result == '?' || result == ':') SAME(seen[n].optopt, optopt, given);
                SAME(seen[n].flag, flag, given);
                SAME(seen[n].optarg, optarg, given);
            }
            if (result == -1) break;
        }
    }
    SAME(memcmp(model, real, sizeof model), 0, given);
}

static void check_options(void)
{
    static char *const words[] = {"-a", "-b", "-bx", "-ab", "-c", "-cx", "--verbose", "--verb", "--ver", "--output", "--out=1",
                                  "--output=2", "--color", "--color=x", "--flag", "--flag=1", "--nothing", "--", "-", "file",
                                  "other", "-x", "-verbose", "-o", "-abc", "-flag"};
    static const char *const letters[] = {"ab:c::", "+ab:c::", "-ab:c::", ":ab:c::", "+:ab:", "", "o:"};
    char *argv[8] = {"program"};
    for (unsigned round = 0; round < 6000; round++) {
        int argc = 1 + (int)below(6);
        for (int i = 1; i < argc; i++) argv[i] = words[below(sizeof words / sizeof *words)];
        one_command_line(argc, argv, letters[below(7)], (int)below(3));
    }
}

void check_scanning(void)
{
    check_scans();
    check_stream_scans();
    check_options();
}
