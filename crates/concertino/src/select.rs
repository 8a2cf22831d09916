//! Which functions a run is about: `--function` and `--file`, as names, paths or patterns.

use crate::exit::BadInput;
use anyhow::Result;
use campaign::FunctionName;
use globset::{Glob, GlobBuilder, GlobMatcher};
use std::path::Path;

pub struct Selection {
    functions: Vec<(String, FunctionPattern)>,
    files: Vec<(String, Vec<GlobMatcher>)>,
    /// Of the configuration; unlike the others, what it names is no part of the results at all.
    excluded: Vec<GlobMatcher>,
}

struct FunctionPattern {
    file: Option<Vec<GlobMatcher>>,
    name: GlobMatcher,
}

impl Selection {
    pub fn new(
        root: &Path,
        functions: &[String],
        files: &[String],
        excluded: &[String],
    ) -> Result<Selection> {
        let functions = functions
            .iter()
            .map(|text| {
                let (file, name) = match text.rsplit_once(':') {
                    Some((file, name)) => (Some(file_patterns(root, file, "--function")?), name),
                    None => (None, text.as_str()),
                };
                let name =
                    Glob::new(name).map_err(|error| wrong("--function", text, &error))?.compile_matcher();
                Ok((text.clone(), FunctionPattern { file, name }))
            })
            .collect::<Result<_>>()?;
        let files = files
            .iter()
            .map(|text| Ok((text.clone(), file_patterns(root, text, "--file")?)))
            .collect::<Result<_>>()?;
        let mut patterns = Vec::new();
        for text in excluded {
            patterns.extend(file_patterns(root, text, "`exclude` in concertino.toml:")?);
        }
        Ok(Selection { functions, files, excluded: patterns })
    }

    pub fn excludes(&self, function: &FunctionName) -> bool {
        matches(&self.excluded, &function.file)
    }

    pub fn is_everything(&self) -> bool {
        self.functions.is_empty() && self.files.is_empty()
    }

    pub fn contains(&self, function: &FunctionName) -> bool {
        let by_name =
            self.functions.is_empty() || self.functions.iter().any(|(_, wanted)| wanted.matches(function));
        let by_file =
            self.files.is_empty() || self.files.iter().any(|(_, wanted)| matches(wanted, &function.file));
        by_name && by_file
    }

    /// Complains about the first name or path that fits nothing: it is probably misspelt.
    pub fn check(&self, all: &[&FunctionName]) -> Result<()> {
        for (text, wanted) in &self.functions {
            if !all.iter().any(|function| wanted.matches(function)) {
                let hint = near(text, all.iter().map(|function| function.name.as_str()));
                return Err(BadInput(format!("no function {text} in this project{hint}")).into());
            }
        }
        for (text, wanted) in &self.files {
            if !all.iter().any(|function| matches(wanted, &function.file)) {
                let hint = near(text, all.iter().map(|function| function.file.as_str()));
                return Err(BadInput(format!("no function in a file {text} in this project{hint}")).into());
            }
        }
        if !all.iter().any(|function| self.contains(function)) {
            return Err(BadInput("no function fits both --function and --file".to_owned()).into());
        }
        Ok(())
    }
}

impl FunctionPattern {
    fn matches(&self, function: &FunctionName) -> bool {
        self.name.is_match(&function.name)
            && self.file.as_ref().is_none_or(|file| matches(file, &function.file))
    }
}

fn matches(patterns: &[GlobMatcher], path: &str) -> bool {
    patterns.iter().any(|pattern| pattern.is_match(path))
}

/// A path relative to the root, an absolute one, a directory, or the end of a path: `parse.c`.
fn file_patterns(root: &Path, text: &str, said_by: &str) -> Result<Vec<GlobMatcher>> {
    let inside = Path::new(text).strip_prefix(root).map(|path| path.to_string_lossy().into_owned());
    let written = inside.unwrap_or_else(|_| text.trim_start_matches("./").to_owned());
    let written = written.trim_end_matches('/');
    let anywhere = |pattern: &str| {
        let pattern =
            if written.starts_with('/') { pattern.to_owned() } else { format!("{{,**/}}{pattern}") };
        GlobBuilder::new(&pattern)
            .literal_separator(true)
            .build()
            .map(|glob| glob.compile_matcher())
            .map_err(|error| anyhow::Error::from(wrong(said_by, text, &error)))
    };
    Ok(vec![anywhere(written)?, anywhere(&format!("{written}/**"))?])
}

fn wrong(flag: &str, text: &str, error: &globset::Error) -> BadInput {
    BadInput(format!("{flag} {text}: {}", error.kind()))
}

fn near<'a>(text: &str, names: impl Iterator<Item = &'a str>) -> String {
    names
        .map(|name| (strsim::jaro_winkler(text, name), name))
        .max_by(|left, right| left.0.total_cmp(&right.0))
        .filter(|(likeness, _)| *likeness > 0.7)
        .map(|(_, name)| format!("\n  did you mean {name}?"))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selects(functions: &[&str], files: &[&str], file: &str, name: &str) -> bool {
        let own = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let selection = Selection::new(Path::new("/p"), &own(functions), &own(files), &[]).unwrap();
        selection.contains(&FunctionName { file: file.into(), name: name.into(), line: 1 })
    }

    #[test]
    fn names_patterns_and_paths() {
        assert!(selects(&[], &[], "src/a.c", "f"));
        assert!(selects(&["f"], &[], "src/a.c", "f"));
        assert!(!selects(&["f"], &[], "src/a.c", "ff"));
        assert!(selects(&["parse_*"], &[], "src/a.c", "parse_x"));
        assert!(selects(&["a.c:f"], &[], "src/a.c", "f"));
        assert!(!selects(&["b.c:f"], &[], "src/a.c", "f"));
        assert!(selects(&["g", "f"], &["src"], "src/a.c", "f"));
        for file in ["src/a.c", "a.c", "./src/a.c", "/p/src/a.c", "src", "src/", "/p/src", "*.c", "src/*.c"] {
            assert!(selects(&[], &[file], "src/a.c", "f"), "{file}");
        }
        for file in ["b.c", "rc/a.c", "lib", "*.h"] {
            assert!(!selects(&[], &[file], "src/a.c", "f"), "{file}");
        }
    }

    #[test]
    fn excluded_files() {
        let patterns = ["third_party/**", "*_generated.c"].map(str::to_owned);
        let selection = Selection::new(Path::new("/p"), &[], &[], &patterns).unwrap();
        for (file, excluded) in [
            ("third_party/x/a.c", true),
            ("src/lex_generated.c", true),
            ("src/a.c", false),
            ("third.c", false),
        ] {
            let function = FunctionName { file: file.into(), name: "f".into(), line: 1 };
            assert_eq!(selection.excludes(&function), excluded, "{file}");
        }
    }

    #[test]
    fn what_fits_nothing_is_said() {
        let selection = Selection::new(Path::new("/p"), &["parse_hrd".into()], &[], &[]).unwrap();
        let name = FunctionName { file: "a.c".into(), name: "parse_hdr".into(), line: 1 };
        let message = selection.check(&[&name]).unwrap_err().to_string();
        assert_eq!(message, "no function parse_hrd in this project\n  did you mean parse_hdr?");
        assert!(Selection::new(Path::new("/p"), &["a[".into()], &[], &[]).is_err());
    }
}
