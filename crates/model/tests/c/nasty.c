/* flags: -fshort-enums -funsigned-char -DNAME="spaced\ value" -D'QUOTED="q"' -fms-extensions */
enum tiny { A, B };
struct s0 { };
struct base { int id; };
struct derived { struct base; int more; };
struct self { struct self *(*make)(struct self *, int (*)(struct self)); struct self *children[4]; };
union u { struct { unsigned a : 3, b : 13; }; unsigned short raw; };
struct aligned { char c; _Alignas(32) int i; __attribute__((aligned(8))) char d; };
#pragma pack(push, 2)
struct packed2 { char c; long l; };
#pragma pack(pop)
typedef struct fwd fwd_t, *fwd_p;
struct fwd { fwd_p next; fwd_t *other; fwd_p (*array[3])[2]; };
typedef int table_t[3][5];
typedef int function_t(int, char);
function_t declared_by_typedef;
int declared_by_typedef(int a, char c) { return a + c; }
char plain(char c, enum tiny t) { return c + t + sizeof(QUOTED); }
int everything(struct s0 e, struct derived d, struct self *s, union u u, struct aligned *a, struct packed2 p, fwd_p f,
               table_t t, const table_t *ct, function_t g)
{
    return d.id + u.b + a->i + (int)p.l + t[1][2] + (*ct)[0][0] + g(1, 2);
}
int (*(*nested)(int))(char);
int (*(*call_nested(void))(int))(char) { return nested; }
int labels(int i) { static void *targets[] = { &&x, &&y }; goto *targets[i]; x: return 1; y: return 2; }
int generic(int i) { return _Generic(i, int: plain, default: 0)(1, A); }
_BitInt(37) bits(_BitInt(37) b) { return b; }
