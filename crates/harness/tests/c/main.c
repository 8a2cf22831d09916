/* `main` gets strings. */
static int verbose;

int usage(const char *program) __attribute__((noreturn));
void exit(int);

int usage(const char *program) { exit(program != 0); }

int main(int argc, char **argv, char **envp)
{
    if (argc < 2 || !envp[0])
        usage(argv[0]);
    return verbose;
}
