//! The recording program: a case as it is exported, and around its calls a list of what can be looked at, by address,
//! so that a thousand numbers cost a thousand short calls to compile. What a pointer leads to is looked at after the calls
//! only if the pointer is the same and the memory is still there.

use super::{CALL, CALLS, Case, Leaf, LeafKind};
use std::fmt::Write;

/// What the recorded cases call. The recording program is built with AddressSanitizer, which knows what was freed.
const SUPPORT: &str = r#"
int __asan_address_is_poisoned(const volatile void *address);
void *__asan_region_is_poisoned(void *begin, size_t size);

/* The pointers that lead to what is looked at: their values before the call, where they are, and through which they are. */
static const void *case_kept[CASE_POINTERS];
static const void *const *case_kept_at[CASE_POINTERS];
static int case_kept_through[CASE_POINTERS];
static struct case_look { const void *at; size_t size; int through; char kind; } case_looks[CASE_LEAVES];

static void case_keep(int number, int through, const void *at)
{
    case_kept_at[number] = (const void *const *)at;
    case_kept_through[number] = through;
    case_kept[number] = *case_kept_at[number];
}

static int case_is_kept(int number)
{
    for (; number >= 0; number = case_kept_through[number])
        if (!case_kept[number] || __asan_address_is_poisoned(case_kept_at[number]) || *case_kept_at[number] != case_kept[number]
            || __asan_address_is_poisoned(case_kept[number]))
            return 0;
    return 1;
}

static void case_look(int number, int through, char kind, const volatile void *at, size_t size)
{
    case_looks[number] = (struct case_look){(const void *)at, size, through, kind};
}

static void case_note(const char *name, char phase)
{
    int number;
    for (number = 0; number < CASE_LEAVES; number++) {
        const struct case_look *look = &case_looks[number];
        union { long long number; float single; double real; char bytes[8]; } value = {0};
        if (!look->at || look->size > sizeof value || phase == 'a' && !case_is_kept(look->through)
            || __asan_region_is_poisoned((void *)look->at, look->size))
            continue;
        memcpy(value.bytes, look->at, look->size);
        if (look->kind == 'f')
            record_real(name, number, phase, look->size == sizeof(float) ? value.single : value.real);
        else
            record_integer(name, number, phase, look->kind == 'p' ? value.number != 0 : value.number);
    }
}

"#;

/// The support for these cases.
pub(super) fn support(cases: &[Case]) -> String {
    let most = |count: &dyn Fn(&Case) -> usize| cases.iter().map(count).max().unwrap_or(0).max(1);
    let (pointers, leaves) = (most(&|case| pointers(case).len()), most(&|case| case.leaves.len()));
    format!("#define CASE_POINTERS {pointers}\n#define CASE_LEAVES {leaves}\n{SUPPORT}")
}

/// The ways through pointers to what a case looks at, each after those that it goes on from.
fn pointers(case: &Case) -> Vec<&[String]> {
    let mut pointers: Vec<&[String]> = Vec::new();
    for leaf in &case.leaves {
        for length in 1..=leaf.through.len() {
            let way = &leaf.through[..length];
            if !pointers.contains(&way) {
                pointers.push(way);
            }
        }
    }
    pointers
}

/// The case as a function that records what it does.
pub(super) fn recorded(case: &Case) -> String {
    let pointers = pointers(case);
    let number = |way: &[String]| {
        pointers.iter().position(|pointer| *pointer == way).map_or(-1, |number| number as i32)
    };
    // What follows a pointer is reached through the value that was kept: most of the way need not be gone again.
    let through = |expression: &str, way: &[String]| {
        let rest = way.last().and_then(|pointer| Some((pointer, expression.strip_prefix(pointer.as_str())?)));
        match rest.filter(|(_, rest)| rest.starts_with("->") || rest.starts_with('[')) {
            Some((pointer, rest)) => format!("((__typeof__({pointer}))case_kept[{}]){rest}", number(way)),
            None => expression.to_owned(),
        }
    };
    let mut around = String::new();
    for way in &pointers {
        if let Some((pointer, outer)) = way.split_last() {
            let place = through(pointer, outer);
            let keep = format!("case_keep({}, {}, (const void *)&{place});", number(way), number(outer));
            let _ = writeln!(around, "    case_kept[{}] = 0;", number(way));
            let _ = writeln!(around, "    {}{keep}", condition(number(outer), false));
        }
    }
    let fields = |phase: char| -> String {
        let fields = case.leaves.iter().enumerate().filter(|(_, leaf)| leaf.is_bit_field);
        let record = |(index, leaf): (usize, &Leaf)| {
            let condition = condition(number(&leaf.through), phase == 'a');
            format!(
                "    {condition}record_integer(\"{}\", {index}, '{phase}', (unsigned long long)({}));\n",
                case.name, leaf.expression
            )
        };
        fields.map(record).collect()
    };
    let _ = writeln!(around, "    memset(case_looks, 0, sizeof case_looks);");
    let mut before = None;
    for (index, leaf) in case.leaves.iter().enumerate().filter(|(_, leaf)| !leaf.is_bit_field) {
        let way = number(&leaf.through);
        if before != Some(way) {
            let end = if before.is_some() { "    }\n" } else { "" };
            let _ = writeln!(around, "{end}    {}{{", condition(way, false));
            before = Some(way);
        }
        let kind = match leaf.kind {
            LeafKind::Integer { .. } => 'i',
            LeafKind::Real => 'f',
            LeafKind::Pointer => 'p',
        };
        let place = through(&leaf.expression, &leaf.through);
        let _ = writeln!(around, "        case_look({index}, {way}, '{kind}', &{place}, sizeof({place}));");
    }
    if before.is_some() {
        around.push_str("    }\n");
    }
    let name = &case.name;
    let (setup, call) = case.body.split_once(CALLS).unwrap_or((&case.body, ""));
    let once = format!("{around}    case_note(\"{name}\", 'b');\n{}", fields('b'));
    let call = call.replacen(CALL, &once, 1).replace(CALL, &around);
    format!(
        "static void {name}(void)\n{{\n{setup}{}{call}    case_note(\"{name}\", 'a');\n{}}}\n\n",
        case.stub_results(),
        fields('a')
    )
}

/// Before what follows a pointer.
fn condition(pointer: i32, is_after: bool) -> String {
    match (pointer < 0, is_after) {
        (true, _) => String::new(),
        (false, true) => format!("if (case_is_kept({pointer})) "),
        (false, false) => format!("if (case_kept[{pointer}]) "),
    }
}
