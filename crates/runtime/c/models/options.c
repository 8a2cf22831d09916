/* Models of getopt, getopt_long and getopt_long_only, permutation and abbreviations included. The variables
 * (optarg, optind, opterr, optopt) are the library's own.
 * Limits: POSIXLY_CORRECT is taken as not set; `W;` is not known. */
#include "files.h"

#include <getopt.h>
#include <string.h>

int ctn_model_fprintf(FILE *stream, const char *format, ...);

enum { PERMUTE, IN_ORDER, STOP };

static struct {
    int started;
    int order;
    const char *next;  /* the rest of a group of short options */
    int first, last;   /* arguments that are no options and were skipped: from first, up to last */
} scan;

static int is_option(const char *word) { return word[0] == '-' && word[1] != '\0'; }

/* What was skipped goes behind the options that came after it. */
static void exchange(char **argv)
{
    for (int from = scan.last; from < optind; from++) {
        char *option = argv[from];
        int to = from - (scan.last - scan.first);
        for (int i = from; i > to; i--) argv[i] = argv[i - 1];
        argv[to] = option;
    }
    scan.first += optind - scan.last;
    scan.last = optind;
}

/* Goes to the next argument that is an option; 0 and the result when there is none. */
static int find_option(int argc, char **argv, int *result)
{
    if (scan.last > optind) scan.last = optind;
    if (scan.first > optind) scan.first = optind;
    if (scan.order == PERMUTE) {
        if (scan.first != scan.last && scan.last != optind)
            exchange(argv);
        else if (scan.last != optind)
            scan.first = optind;
        while (optind < argc && !is_option(argv[optind])) optind++;
        scan.last = optind;
    }
    if (optind != argc && ctn_model_strcmp(argv[optind], "--") == 0) {
        optind++;
        if (scan.first != scan.last && scan.last != optind)
            exchange(argv);
        else if (scan.first == scan.last)
            scan.first = optind;
        scan.last = argc;
        optind = argc;
    }
    *result = -1;
    if (optind == argc) {
        if (scan.first != scan.last) optind = scan.first;
        return 0;
    }
    if (!is_option(argv[optind])) {
        if (scan.order == STOP) return 0;
        optarg = argv[optind++];
        *result = 1;
        return 0;
    }
    return 1;
}

typedef struct {
    int argc;
    char **argv;
    const char *letters;
    const struct option *options;
    int *index;
    int only;   /* getopt_long_only */
    int tells;  /* errors are printed */
} request;

/* The option that the name is or begins; NULL when there is none, *ambiguous when there are several. */
static const struct option *look_up(const request *r, const char *name, size_t length, int *ambiguous)
{
    const struct option *found = NULL;
    *ambiguous = 0;
    for (const struct option *o = r->options; o->name != NULL; o++)
        if (ctn_model_strncmp(o->name, name, length) == 0 && o->name[length] == '\0') return o;
    for (const struct option *o = r->options; o->name != NULL; o++) {
        if (ctn_model_strncmp(o->name, name, length) != 0) continue;
        if (found == NULL)
            found = o;
        else if (r->only || found->has_arg != o->has_arg || found->flag != o->flag || found->val != o->val)
            *ambiguous = 1;
    }
    return found;
}

static int refuse(const request *r, const char *format, const char *word, int option)
{
    if (r->tells) ctn_model_fprintf(stderr, format, r->argv[0], word);
    optopt = option;
    return '?';
}

static int long_option(const request *r)
{
    const char *name = scan.next, *end = name;
    int ambiguous;
    while (*end != '\0' && *end != '=') end++;
    const struct option *o = look_up(r, name, (size_t)(end - name), &ambiguous);
    if (ambiguous || o == NULL) {
        if (!ambiguous && r->only && r->argv[optind][1] != '-' && ctn_model_strchr(r->letters, *name) != NULL) return -1;
        scan.next = NULL;
        optind++;
        return refuse(r, ambiguous ? "%s: option '%s' is ambiguous\n" : "%s: unrecognized option '%s'\n", name, 0);
    }
    optind++;
    scan.next = NULL;
    if (*end != '\0') {
        if (o->has_arg == no_argument) return refuse(r, "%s: option '%s' doesn't allow an argument\n", o->name, o->val);
        optarg = (char *)end + 1;
    } else if (o->has_arg == required_argument) {
        if (optind >= r->argc) {
            refuse(r, "%s: option '%s' requires an argument\n", o->name, o->val);
            return r->letters[0] == ':' ? ':' : '?';
        }
        optarg = r->argv[optind++];
    }
    if (r->index != NULL) *r->index = (int)(o - r->options);
    if (o->flag == NULL) return o->val;
    *o->flag = o->val;
    return 0;
}

static int short_option(const request *r)
{
    char c = *scan.next++, text[] = {c, '\0'};
    const char *letter = c == ':' || c == ';' ? NULL : ctn_model_strchr(r->letters, c);
    if (*scan.next == '\0') optind++;
    if (letter == NULL) return refuse(r, "%s: invalid option -- '%s'\n", text, c);
    if (letter[1] != ':') return c;
    int result = c;
    if (*scan.next != '\0') {
        optarg = (char *)scan.next;
        optind++;
    } else if (letter[2] == ':') {
        optarg = NULL;
    } else if (optind == r->argc) {
        refuse(r, "%s: option requires an argument -- '%s'\n", text, c);
        result = r->letters[0] == ':' ? ':' : '?';
    } else {
        optarg = r->argv[optind++];
    }
    scan.next = NULL;
    return result;
}

static int get_option(request r)
{
    if (r.argc < 1) return -1;
    optarg = NULL;
    if (optind == 0 || !scan.started) {
        if (optind == 0) optind = 1;
        scan.started = 1;
        scan.first = scan.last = optind;
        scan.next = NULL;
        scan.order = r.letters[0] == '-' ? IN_ORDER : r.letters[0] == '+' ? STOP : PERMUTE;
    }
    if (r.letters[0] == '-' || r.letters[0] == '+') r.letters++;
    r.tells = opterr && r.letters[0] != ':';
    if (scan.next == NULL || *scan.next == '\0') {
        int result;
        if (!find_option(r.argc, r.argv, &result)) return result;
        const char *word = r.argv[optind];
        if (r.options != NULL && word[1] == '-') {
            scan.next = word + 2;
            return long_option(&r);
        }
        scan.next = word + 1;
        if (r.options != NULL && r.only && (word[2] != '\0' || ctn_model_strchr(r.letters, word[1]) == NULL)) {
            result = long_option(&r);
            if (result != -1) return result;
        }
    }
    return short_option(&r);
}

int ctn_model_getopt(int argc, char *const *argv, const char *letters)
{
    return get_option((request){argc, (char **)argv, letters, NULL, NULL, 0, 0});
}

int ctn_model_getopt_long(int argc, char *const *argv, const char *letters, const struct option *options, int *index)
{
    return get_option((request){argc, (char **)argv, letters, options, index, 0, 0});
}

int ctn_model_getopt_long_only(int argc, char *const *argv, const char *letters, const struct option *options,
                               int *index)
{
    return get_option((request){argc, (char **)argv, letters, options, index, 1, 0});
}
