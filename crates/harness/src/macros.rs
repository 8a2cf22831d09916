//! The macros that are defined at the end of a translation unit, as the compiler lists them.

use model::TranslationUnit;
use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::process::Command;

/// Asks the compiler. An answer is a matter of the text's robustness only: without it, a harness fails to
/// compile where the program defines a macro with the name of a member, parameter or function.
pub fn macros_of(clang: &Path, unit: &TranslationUnit) -> io::Result<BTreeSet<String>> {
    let output = Command::new(clang)
        .current_dir(&unit.directory)
        .args(&unit.flags)
        .args(["-w", "-E", "-dM", "-x", "c"])
        .arg(&unit.path)
        .output()?;
    Ok(names(&String::from_utf8_lossy(&output.stdout)))
}

/// The names in lines such as `#define name(a) text`.
fn names(listing: &str) -> BTreeSet<String> {
    let name = |line: &str| {
        let rest = line.strip_prefix("#define ")?;
        let end =
            rest.find(|letter: char| letter != '_' && !letter.is_ascii_alphanumeric()).unwrap_or(rest.len());
        Some(rest[..end].to_owned())
    };
    listing.lines().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn names_end_before_parameters() {
        let found = names("#define A 1\n#define B(x) x\n#define C\nint d;\n");
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["A", "B", "C"]);
    }
}
