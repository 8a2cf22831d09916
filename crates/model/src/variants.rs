//! One file compiled several times: for a static and a shared library, say, with flags that make no
//! difference to its functions. Such variants are one unit; those that differ after preprocessing stay apart.

use crate::database::CompileCommand;
use crate::parallel;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Keeps the first of each group of equal variants.
pub(crate) fn merge(commands: Vec<CompileCommand>, jobs: usize) -> Vec<CompileCommand> {
    let mut count: HashMap<&Path, usize> = HashMap::new();
    for command in &commands {
        *count.entry(&command.path).or_default() += 1;
    }
    let several: HashSet<PathBuf> =
        count.iter().filter(|(_, n)| **n > 1).map(|(path, _)| path.to_path_buf()).collect();
    if several.is_empty() {
        return commands;
    }
    let texts = parallel::map(&commands, jobs, |command| {
        if several.contains(&command.path) { preprocess(command) } else { None }
    });
    let mut seen = HashSet::new();
    let mut kept = Vec::new();
    for (command, text) in commands.into_iter().zip(texts) {
        let is_new = match text.flatten() {
            Some(text) => seen.insert((command.path.clone(), language_flags(&command.flags), text)),
            None => true,
        };
        if is_new {
            kept.push(command);
        } else {
            tracing::debug!(path = %command.path.display(), "a variant that makes no difference");
        }
    }
    kept
}

/// Flags that change more than what the preprocessor makes of the file.
fn language_flags(flags: &[String]) -> Vec<String> {
    const WITH_ARGUMENT: &[&str] =
        &["-I", "-isystem", "-isystem-after", "-iquote", "-idirafter", "-include", "-imacros"];
    let mut kept = Vec::new();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        if WITH_ARGUMENT.contains(&flag.as_str()) {
            flags.next();
        } else if !flag.starts_with("-D") && !flag.starts_with("-U") {
            kept.push(flag.clone());
        }
    }
    kept
}

/// The file as the compiler proper sees it, without line markers and without what concerns only the linker.
pub(crate) fn preprocess(command: &CompileCommand) -> Option<String> {
    let output = Command::new("clang-19")
        .args(&command.flags)
        .args(["-w", "-E", "-P"])
        .arg(&command.path)
        .current_dir(&command.directory)
        .output()
        .ok()?;
    output.status.success().then(|| without_visibility(&String::from_utf8_lossy(&output.stdout)))
}

fn without_visibility(text: &str) -> String {
    let mut rest: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for quoted in ["default", "hidden", "protected", "internal"] {
        for pattern in [
            format!("__attribute__ ((visibility(\"{quoted}\")))"),
            format!("__attribute__((visibility(\"{quoted}\")))"),
            format!("__attribute__((__visibility__(\"{quoted}\")))"),
        ] {
            rest = rest.replace(&pattern, "");
        }
    }
    rest.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variants(flags: &[&[&str]], text: &str) -> usize {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.c");
        std::fs::write(&path, text).unwrap();
        let command = |flags: &&[&str]| CompileCommand {
            path: path.clone(),
            directory: dir.path().into(),
            flags: flags.iter().map(|f| f.to_string()).collect(),
        };
        merge(flags.iter().map(command).collect(), 1).len()
    }

    #[test]
    fn variants_that_differ_stay_apart() {
        let text = "#ifdef A\nint f(void) { return 1; }\n#endif\nint g;\n";
        assert_eq!(variants(&[&["-DA"], &["-DB"]], text), 2);
        assert_eq!(variants(&[&["-DB"], &["-DC", "-I", "/nowhere"]], text), 1);
        assert_eq!(variants(&[&["-DB"], &["-DB", "-fshort-enums"]], text), 2);
    }

    #[test]
    fn visibility_makes_no_difference() {
        let text = "#ifdef SHARED\n#define API __attribute__ ((visibility(\"default\")))\n#else\n#define API\n#endif\n\
                    API int f(void) { return 1; }\n";
        assert_eq!(variants(&[&["-DSHARED"], &[]], text), 1);
    }

    #[test]
    fn files_that_do_not_preprocess_are_kept() {
        assert_eq!(variants(&[&["-DA"], &["-DB"]], "#include \"nowhere.h\"\n"), 2);
    }
}
