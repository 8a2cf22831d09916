/* Words of embedded compilers: defined away, or as what they mean here. */
/* EXPECT-FILE problem clang does not know */
__no_init int boots;
__root const char version[] = "1.2";
static __near int ticks;
volatile __sfr __at(0x80) port;

__interrupt void tick(void)
{
    if (++ticks == 1000) ticks = 0;
}

struct __packed frame { char kind; int length; };
typedef char frame_is_packed[sizeof(struct frame) == 5 ? 1 : -1];

__weak int hook(int x) { return x; }

__ramfunc int decode(const struct frame __far *frame)
{
    __align(8) char copy[8];
    if (!frame) return -1;
    copy[0] = frame->kind;
    if (frame->length == 1234 && copy[0] == 'q') return hook(1); /* EXPECT covered all */
    return 0;
}

__int64 wide(__int64 x)
{
    return x == 1ll << 40 ? 1 : 0; /* EXPECT covered all */
}
