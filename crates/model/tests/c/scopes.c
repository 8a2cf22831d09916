/* Types that cannot be named at the end of the file, and names that mean something else inside. */
typedef int T;
struct outer { struct inner { int i; } in; T t; };
static struct { int secret; struct { int deeper; } more; } unnamed, *also;
static enum { OFF, ON } mode;
struct inner inner_is_visible(struct outer *o) { return o->in; }
T shadow(T T) { return T; }
int locals(void)
{
    typedef long T;
    struct local { T field; };
    static struct local kept;
    static T counter;
    static struct { int z; } nameless;
    static union { struct outer o; int raw; } *list;
    return kept.field + counter + nameless.z + (list != 0) + unnamed.secret + also->more.deeper + mode;
}
int of_expressions(int n) { static __typeof__(n) copy; return copy; }
void vla(int n, int (*rows)[n]) { rows[0][0] = 1; }
struct { int tagless_result; } *tagless(void) { return 0; }
