/* Accesses that leave their object so far that they reach memory of another one, where no redzone tells. The first
 * input that is tried, zero, is outside: what is inside has to be found from there. */
/* EXPECT-FILE covered all */

struct interface {
    unsigned char number, in, out;
    unsigned char mounted;
    unsigned long counters[12];
};

static unsigned char before[4096];
static struct interface interfaces[4];
static unsigned char after[4096];

int is_ready(unsigned char device)
{
    struct interface *interface = &interfaces[device - 1]; /* EXPECT alarm out-of-bounds where device = 0 or device > 4 */
    return interface->mounted && interface->in;
}

void mount(unsigned char device)
{
    struct interface *interface = interfaces + device;
    interface[-3].out = 1; /* EXPECT alarm out-of-bounds where device < 3 or device > 6 */
    if (interface[-3].mounted == 7)
        interface[-3].mounted = 0;
}

int count(unsigned short at)
{
    if (at >= 4096)
        return 0;
    return before[at] == 'x' || after[at] == 'y';
}

void fill(unsigned short at, unsigned char value)
{
    if (at < 4096)
        before[at] = after[at] = value;
}
