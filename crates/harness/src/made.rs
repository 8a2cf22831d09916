//! Which object of a driver a block of memory is: from the stack of its allocation and the text of the harness. What a
//! driver puts behind a pointer has a length of its own choosing, unless something in the program tells it.

/// An object that a driver made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// As reports write it, `list->table`, or as the harness does, `p->table`, where the stack does not tell.
    pub place: String,
    pub kind: MadeKind,
    /// Something ties its length to a value that the program knows.
    pub is_measured: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MadeKind {
    /// Behind a variable argument.
    Argument,
    /// A string, which ends with its NUL.
    Text,
    /// One object, which nothing steps through: it ends where its type does.
    Object,
    Memory,
}

/// How a driver writes that there is one object, and no array of them.
pub(crate) const ONE: &str = "CTN_ONE";

/// What a driver writes beside a number of elements that the program itself tells.
pub(crate) const TOLD: &str = "/* as told */";

/// Calls that tie memory to a number, or pointers to one another.
const TIES: [&str; 4] = ["ctn_limit(", "ctn_end_at(", "ctn_assume(", " ? (void *)"];

/// The object, by the functions and lines of the harness that allocated it, innermost first. None: no driver did.
pub fn made(frames: &[(&str, u32)], text: &str) -> Option<Made> {
    let (first, rest) = frames.split_first()?;
    if first.0 != "ctn_alloc" {
        return None;
    }
    let lines: Vec<&str> = text.lines().collect();
    let at = |line: u32| lines.get((line as usize).checked_sub(1)?).copied();
    let is_argument = rest.iter().any(|(function, _)| function.starts_with("ctn_argument_of_"));
    let is_text = rest.first().is_some_and(|(function, _)| *function == "ctn_new_string");
    // The maker itself says `p = ctn_alloc(...)`; who asked it names the place.
    let asked = rest.iter().skip(usize::from(rest.first()?.0.starts_with("ctn_new_")));
    let asked: Vec<(&str, u32)> = asked.filter_map(|(_, line)| Some((at(*line)?, *line))).collect();
    let first = asked.iter().position(|(text, _)| place(text).is_some())?;
    let (text, line) = asked[first];
    let place = place(text)?;
    let body = body(&lines, line as usize);
    let is_tied =
        body.iter().any(|other| mentions(other, place) && TIES.iter().any(|tie| other.contains(tie)));
    let is_measured = is_tied || text.contains(TOLD);
    let kind = match (is_argument, is_text) {
        (true, _) => MadeKind::Argument,
        (false, true) => MadeKind::Text,
        (false, false) if mentions(text, ONE) => MadeKind::Object,
        (false, false) => MadeKind::Memory,
    };
    let path = path(asked[first..].iter().map(|(text, _)| *text));
    Some(Made { place: path.unwrap_or_else(|| place.to_owned()), kind, is_measured })
}

/// The path of an input, from the lines that made it, innermost first.
fn path<'t>(lines: impl Iterator<Item = &'t str>) -> Option<String> {
    let quoted = |line: &'t str, before: &str| line.split_once(before)?.1.split('"').next();
    let mut path = String::new();
    for line in lines {
        if let Some(root) = quoted(line, "CTN_ROOT(\"") {
            return Some(format!("{root}{path}"));
        }
        if line.contains("CTN_ELEMENT(at") {
            path.insert_str(0, "->");
        } else {
            path.insert_str(0, quoted(line, "CTN_NAME(at, \"")?);
        }
    }
    None
}

/// `    p->table = ctn_new_array(...);` -> `p->table`
fn place(line: &str) -> Option<&str> {
    let (place, value) = line.trim().split_once(" = ")?;
    let place = place.rsplit_once('&').map_or(place, |(_, place)| place);
    // `case 1: f = ...`
    let place = place.rsplit_once(": ").map_or(place, |(_, place)| place);
    value.contains("ctn_").then_some(place)
}

/// The lines of the function around a line: functions begin and end at the left margin.
fn body<'t, 'l>(lines: &'l [&'t str], line: usize) -> &'l [&'t str] {
    let end = lines.len();
    let from = lines[..line.min(end)].iter().rposition(|line| *line == "{").unwrap_or(0);
    let to = lines[from..].iter().position(|line| *line == "}").map_or(end, |length| from + length);
    &lines[from..to]
}

fn mentions(line: &str, place: &str) -> bool {
    let is_word =
        |letter: Option<char>| letter.is_some_and(|letter| letter == '_' || letter.is_ascii_alphanumeric());
    line.match_indices(place).any(|(at, _)| {
        !is_word(line[..at].chars().next_back()) && !is_word(line[at + place.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
static void ctn_set_list(struct list *p, int depth, const ctn_path *at)
{
    p->table = ctn_new_array(sizeof *p->table, 10, depth, CTN_NAME(at, \"table\"));
    p->items = ctn_new_item(10, depth, CTN_NAME(at, \"items\"));
    ctn_limit((p->n <= 10) & ((p->items != 0) | (p->n == 0)));
}
static void ctn_drive_f(void)
{
    char *name;
    name = ctn_new_string(10, 4, CTN_ROOT(\"name\"));
    list = ctn_new_list(CTN_ONE, 4, CTN_ROOT(\"list\"));
    key = ctn_new_array(sizeof *key, 16 /* as told */, 4, CTN_ROOT(\"key\"));
    f(name, list);
}
";

    #[test]
    fn objects_by_their_allocation() {
        let of = |frames: &[(&str, u32)]| made(frames, TEXT);
        let made = |place: &str, kind, is_measured| Some(Made { place: place.to_owned(), kind, is_measured });
        let table = [("ctn_alloc", 0), ("ctn_new_array", 2), ("ctn_set_list", 3), ("ctn_drive_f", 13)];
        assert_eq!(of(&table), made("p->table", MadeKind::Memory, false));
        let items = [("ctn_alloc", 0), ("ctn_new_item", 2), ("ctn_set_list", 4)];
        assert_eq!(of(&items), made("p->items", MadeKind::Memory, true));
        let name = [("ctn_alloc", 0), ("ctn_new_string", 2), ("ctn_drive_f", 10)];
        assert_eq!(of(&name), made("name", MadeKind::Text, false));
        let list = [("ctn_alloc", 0), ("ctn_new_list", 2), ("ctn_drive_f", 11)];
        assert_eq!(of(&list), made("list", MadeKind::Object, false));
        let key = [("ctn_alloc", 0), ("ctn_new_array", 2), ("ctn_drive_f", 12)];
        assert_eq!(of(&key), made("key", MadeKind::Memory, true));
        assert_eq!(of(&[("copy", 4), ("f", 5)]), None, "the program's own");
    }

    #[test]
    fn objects_are_called_as_in_reports() {
        const TEXT: &str = "\
static void *__ctn_stub_get(void)
{
    struct list *ctn_result = ctn_new_list(10, 5, CTN_ROOT(\"get()\"));
    p->table = ctn_new_array(sizeof *p->table, 10, depth, CTN_NAME(at, \"table\"));
        ctn_set_list(&p[i], ctn_rest(depth - 1, i), CTN_ELEMENT(at, i));
}
";
        let of = |frames: &[(&str, u32)]| made(frames, TEXT).map(|made| made.place);
        let result = [("ctn_alloc", 0), ("ctn_new_list", 1), ("__ctn_stub_get", 3), ("f", 2)];
        assert_eq!(of(&result).as_deref(), Some("get()"));
        let table = [
            ("ctn_alloc", 0),
            ("ctn_new_array", 1),
            ("ctn_set_list", 4),
            ("ctn_new_list", 5),
            ("__ctn_stub_get", 3),
        ];
        assert_eq!(of(&table).as_deref(), Some("get()->table"));
        assert_eq!(of(&table[..4]).as_deref(), Some("p->table"), "the stack ends too early");
    }
}
