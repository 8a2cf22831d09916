/* What the program puts into its variables: constants, masks, loops, guards; and what may be anything. */
enum mode { IDLE, RUN = 4, STOP };

static int state;
static unsigned slot = 3;
static int taken;
static volatile int device;
static enum mode mode;
int shared = 7;
static int in_table = 1;
static int *const table[] = {0, &in_table};
extern int elsewhere;
void keep(int *where);

static int masked(int x) { return x; }
static int counted(int i) { return i; }
static int checked(int i) { return i; }
static int changed(int i) { return i; }
static int outside(int i) { return i; }
static int wrapped(unsigned char c) { return c; }
static int passed_on(int i) { return masked(i); }
static int by_pointer(int i) { return i; }
static int of_enum(enum mode m) { return m; }
static int of_bits(unsigned b) { return (int)b; }
static int unsigned_check(int i) { return i; }
static int either(int i) { return i; }
int (*pointer)(int) = by_pointer;
struct bits { unsigned three : 3; };

static void step(void)
{
    state = state == 2 ? 0 : 2;
    slot = (slot + 1) % 16;
    device = 1;
    mode = RUN;
    keep(&taken);
}

int main(int argc, char **argv)
{
    static int calls = 1;
    *table[1] = argc;
    struct bits bits = {(unsigned)argc};
    masked(argc & 15);
    for (int i = 0; i < 10; i++) counted(i);
    if (argc >= 0 && argc <= 20) checked(argc);
    if (argc > 5) {
        argc--;
        changed(argc);
    }
    if (argc < 0 || argc > 7) return 1;
    outside(argc);
    wrapped(300);
    passed_on(3);
    by_pointer(1);
    of_enum(mode);
    of_bits(bits.three);
    if ((unsigned)argc < 5u) unsigned_check(argc);
    either(argc ? -1 : 1);
    calls = 2;
    step();
    return elsewhere + shared + state + calls;
}
