/* Runs the differential tests of the libc models against the C library of this machine. */
#include "check.h"

unsigned failures, checks;

void differs(const char *file, int line, const char *what, const char *given)
{
    if (failures++ < 20) printf("%s:%d: %s, given \"%s\"\n", file, line, what, given);
}

uint64_t any(void)
{
    static uint64_t state = 0x9e3779b97f4a7c15u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

unsigned below(unsigned n) { return (unsigned)(any() >> 33) % n; }

void any_text(char *to, unsigned most, const char *alphabet)
{
    unsigned length = below(most + 1), letters = 0;
    while (alphabet && alphabet[letters]) letters++;
    for (unsigned i = 0; i < length; i++) to[i] = alphabet ? alphabet[below(letters)] : (char)(1 + below(255));
    to[length] = '\0';
}

int sign(int n) { return (n > 0) - (n < 0); }

/* The argument is a directory for files. */
int main(int argc, char **argv)
{
    check_strings();
    check_ctype();
    check_integers();
    check_reals();
    check_sorting();
    check_inputs();
    check_wide();
    check_formats();
    check_scanning();
    check_others();
    check_files(argc > 1 ? argv[1] : ".");
    printf("%u checks, %u failures\n", checks, failures);
    return failures != 0;
}
