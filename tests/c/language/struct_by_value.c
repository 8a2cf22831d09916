/* Structs passed and returned by value: in registers, in memory, with floats, nested, and by copy. */
/* EXPECT-FILE covered all */
struct small { short a, b; };
struct floats { float x, y; };
struct mixed { double d; int i; };
struct large { int values[12]; };

struct small take_small(struct small s)
{
    if (s.a == 3 && s.b == -3) s.a = 4;
    return s;
}

struct floats take_floats(struct floats f)
{
    if (f.x == 2.0f && f.y < f.x) f.y = f.x;
    return f;
}

struct mixed take_mixed(struct mixed m)
{
    if (m.d > 10.5 && m.i == 8) m.i++;
    return m;
}

struct large take_large(struct large l)
{
    struct large copy = l;
    if (copy.values[11] == 1234) copy.values[0] = 1;
    return copy;
}

int returned(int x)
{
    struct small s = {(short)x, 0};
    struct small t = take_small(s);
    if (t.a == 77) return 1;
    return 0;
}
