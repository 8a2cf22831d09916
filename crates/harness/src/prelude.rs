//! Fixed pieces of C that harness files share; a file has only those that it uses.

/// In the order in which they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Piece {
    Element,
    Rest,
    Always,
    Largest,
    Owner,
    Member,
    Array,
    Text,
    Zeroed,
    Known,
    Hidden,
    Stream,
    Double,
    Word,
    Argument,
}

impl Piece {
    pub(crate) fn text(self, nulls: Nulls) -> String {
        let text = match self {
            Piece::Element => ELEMENT,
            Piece::Rest => REST,
            Piece::Always => ALWAYS,
            Piece::Largest => LARGEST,
            Piece::Owner => OWNER,
            Piece::Member => MEMBER,
            Piece::Array => ARRAY,
            Piece::Text => TEXT,
            Piece::Zeroed => ZEROED,
            Piece::Known => KNOWN,
            Piece::Hidden => HIDDEN,
            Piece::Stream => STREAM,
            Piece::Double => DOUBLE,
            Piece::Word => WORD,
            Piece::Argument => ARGUMENT,
        };
        text.replace("NOTHING", &nulls.instead("depth", "at")).replace("MADE", &nulls.result("p", "at"))
    }
}

/// How pointers that drivers make can be null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nulls {
    Never,
    /// The object is made in any case: the program decides which of the two it is where it asks.
    OrNull,
    /// Nothing is made for a null pointer, as where a program that runs is looked at.
    First,
}

impl Nulls {
    /// When a function that makes an object returns at once, with null.
    pub(crate) fn instead(self, depth: &str, at: &str) -> String {
        match self {
            Nulls::First => format!("{depth} < 1 || ctn_choice(2, CTN_NAME({at}, \"?null\"))"),
            Nulls::Never | Nulls::OrNull => format!("{depth} < 1"),
        }
    }

    /// What it returns when the object is made.
    pub(crate) fn result(self, made: &str, at: &str) -> String {
        match self {
            Nulls::OrNull => format!("ctn_or_null({made}, {at})"),
            Nulls::Never | Nulls::First => made.to_owned(),
        }
    }
}

const ELEMENT: &str = r#"/* The path of element i behind a pointer, for its members: p->, p[1]., p[2]. */
#define CTN_ELEMENT(at, i) ((i) ? CTN_NAME(CTN_INDEX(at, i), ".") : CTN_NAME(at, "->"))
"#;

const REST: &str = r#"/* Pointers of the first element are followed to the end, those of the other elements one step. */
static int ctn_rest(int depth, long i)
{
    return i == 0 || depth < 1 ? depth : 1;
}
"#;

const ALWAYS: &str = r#"/* For pointers that nothing tests for null, and behind which nothing is to be followed. */
static int ctn_always(int depth)
{
    return depth < 1 ? 1 : depth;
}
"#;

const LARGEST: &str = r#"/* An object that the program may take for a larger one has room for that. */
static unsigned long ctn_largest(unsigned long a, unsigned long b, unsigned long c)
{
    unsigned long most = a > b ? a : b;
    return most > c ? most : c;
}
"#;

const OWNER: &str = r#"/* The object of which a member is being made, and which member: what is made may lead back to it. */
typedef struct ctn_link {
    void *object;
    int member;
} ctn_link;
static ctn_link ctn_owner;
"#;

const MEMBER: &str = r#"/* Which of its members the union was given that was set last. */
static int ctn_member;
"#;

const ARRAY: &str = r#"/* `count` numbers of `size` bytes, or null. */
static void *ctn_new_array(unsigned long size, unsigned long count, int depth, const ctn_path *at)
{
    void *p;
    if (NOTHING)
        return 0;
    p = ctn_alloc(size * count);
    ctn_array(p, size, count, at);
    return MADE;
}
"#;

const TEXT: &str = r#"/* A string of at most `length` characters, or null. */
static void *ctn_new_string(unsigned long length, int depth, const ctn_path *at)
{
    char *p;
    if (NOTHING)
        return 0;
    p = ctn_alloc(length + 1);
    ctn_array(p, 1, length + 1, at);
    ctn_limit(p[length] == 0);
    return MADE;
}
"#;

const ZEROED: &str = r#"/* An object that this file does not know, all zero, or null. */
static void *ctn_new_zeroed(unsigned long size, int depth, const ctn_path *at)
{
    void *p;
    if (NOTHING)
        return 0;
    p = ctn_alloc(size);
    return MADE;
}
"#;

const KNOWN: &str = r#"/* An object of the program, or null. */
static void *ctn_known(void *p, const ctn_path *at)
{
    const int depth = 1;
    if (NOTHING)
        return 0;
    return MADE;
}
"#;

const HIDDEN: &str = r#"/* An object of a type that another file defines: all zero, as that file's harness makes it, or null. */
static void *ctn_new_hidden(unsigned long size, void *(*made)(int, const ctn_path *), int depth, const ctn_path *at)
{
    void *p;
    if (NOTHING)
        return 0;
    if (made && ctn_choice(2, CTN_NAME(at, "?made")))
        return made(depth < 2 ? depth : 2, at);
    p = ctn_alloc(size);
    return MADE;
}
"#;

const DOUBLE: &str = r#"/* For `long double`, of whose bytes not every pattern is a value. */
static double ctn_double(const ctn_path *at)
{
    double value;
    ctn_value(&value, sizeof value, at);
    return value;
}
"#;

const STREAM: &str = r#"/* A FILE with contents of at most `length` bytes, or null. */
static void *ctn_new_stream(unsigned long length, int depth, const ctn_path *at)
{
    void *p;
    if (NOTHING)
        return 0;
    p = ctn_input_stream(length, at);
    return MADE;
}
"#;

const WORD: &str = r#"/* An argument with this value. */
static char *ctn_word(const char *text)
{
    unsigned long length = 0, i;
    char *p;
    while (text[length])
        length++;
    p = ctn_alloc(length + 1);
    for (i = 0; i < length; i++)
        p[i] = text[i];
    return p;
}
"#;

const ARGUMENT: &str = r#"/* An argument of at most `length` characters. */
static char *ctn_argument(unsigned long length, const ctn_path *at)
{
    char *p = ctn_alloc(length + 1);
    ctn_array(p, 1, length + 1, at);
    ctn_limit(p[length] == 0);
    return p;
}
"#;
