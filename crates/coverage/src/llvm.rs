//! LLVM's own tools: raw profiles to text and to one file, and what llvm-cov counts, to compare with.

use crate::MeasureError;
use crate::measured::{Measured, Ratio};
use crate::profile::Profile;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The two programs, of the same LLVM as the compiler.
#[derive(Clone, Debug)]
pub struct CoverageTools {
    profdata: PathBuf,
    cov: PathBuf,
}

impl CoverageTools {
    /// Beside the compiler, or on the path with the compiler's version in their names.
    pub fn beside(clang: &Path) -> Result<CoverageTools, MeasureError> {
        let real = clang.canonicalize().unwrap_or_else(|_| clang.to_owned());
        let find = |tool: &'static str| {
            let near = [real.as_path(), clang].into_iter().filter_map(Path::parent);
            let path = std::env::var_os("PATH").unwrap_or_default();
            let places: Vec<PathBuf> = near.map(Path::to_owned).chain(std::env::split_paths(&path)).collect();
            let names = [tool.to_owned(), format!("{tool}-19")];
            let mut candidates =
                places.iter().flat_map(|place| names.iter().map(move |name| place.join(name)));
            // A plain name on the path may be of another version: the numbered one goes first there.
            candidates.find(|path| path.is_file()).ok_or(MeasureError::MissingTool { tool })
        };
        Ok(CoverageTools { profdata: find("llvm-profdata")?, cov: find("llvm-cov")? })
    }

    /// The counts of one raw profile.
    pub fn read(&self, raw: &Path) -> Result<Profile, MeasureError> {
        let text = run(
            Command::new(&self.profdata).args(["merge", "--text", "--sparse", "-o", "-"]).arg(raw),
            "llvm-profdata",
        )?;
        Profile::from_text(&text).ok_or(MeasureError::Profile { path: raw.to_owned() })
    }

    /// Adds raw and indexed profiles up in one file.
    pub fn merge(&self, from: &[PathBuf], to: &Path) -> Result<(), MeasureError> {
        let list = to.with_extension("list");
        let names: String = from.iter().map(|path| format!("{}\n", path.display())).collect();
        std::fs::write(&list, names).map_err(|source| MeasureError::File { path: list.clone(), source })?;
        run(
            Command::new(&self.profdata).args(["merge", "--sparse", "-f"]).arg(&list).arg("-o").arg(to),
            "llvm-profdata",
        )?;
        Ok(())
    }

    /// What llvm-cov says about the same objects and profile.
    pub fn export(&self, objects: &[PathBuf], profile: &Path) -> Result<Export, MeasureError> {
        let text = run(self.over("export", objects, profile).arg("--skip-expansions"), "llvm-cov export")?;
        serde_json::from_str(&text).map_err(|error| MeasureError::Export { message: error.to_string() })
    }

    /// Executions of lines, by file, as llvm-cov counts them.
    pub fn lines(
        &self,
        objects: &[PathBuf],
        profile: &Path,
    ) -> Result<BTreeMap<String, BTreeMap<u32, u64>>, MeasureError> {
        let text = run(
            self.over("export", objects, profile).args(["--format=lcov", "--skip-branches"]),
            "llvm-cov export",
        )?;
        Ok(lines_of(&text))
    }

    fn over(&self, what: &str, objects: &[PathBuf], profile: &Path) -> Command {
        let mut command = Command::new(&self.cov);
        command.arg(what).arg("--instr-profile").arg(profile);
        for object in objects {
            command.arg("--object").arg(object);
        }
        command
    }
}

fn run(command: &mut Command, tool: &'static str) -> Result<String, MeasureError> {
    let output = command.output().map_err(|source| MeasureError::Start { tool, source })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(MeasureError::Tool { tool, message })
}

/// The lines `SF:file` and `DA:line,count` of lcov's format.
fn lines_of(text: &str) -> BTreeMap<String, BTreeMap<u32, u64>> {
    let mut files: BTreeMap<String, BTreeMap<u32, u64>> = BTreeMap::new();
    let mut file = String::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("SF:") {
            file = name.to_owned();
        } else if let Some((number, count)) = line.strip_prefix("DA:").and_then(|rest| rest.split_once(','))
            && let (Ok(number), Ok(count)) = (number.parse(), count.parse())
        {
            files.entry(file.clone()).or_default().insert(number, count);
        }
    }
    files
}

/// The part of llvm-cov's document that is compared.
#[derive(Clone, Debug, Deserialize)]
pub struct Export {
    data: Vec<ExportData>,
}

#[derive(Clone, Debug, Deserialize)]
struct ExportData {
    functions: Vec<ExportFunction>,
}

#[derive(Clone, Debug, Deserialize)]
struct ExportFunction {
    name: String,
    filenames: Vec<String>,
    regions: Vec<Vec<u64>>,
    #[serde(default)]
    branches: Vec<Vec<u64>>,
    #[serde(default)]
    mcdc_records: Vec<McdcRecord>,
}

/// The decision's place in four numbers, file and kind, then for each condition whether it has a pair.
type McdcRecord = (u64, u64, u64, u64, u64, u64, Vec<bool>);

/// What llvm-cov counts for one function: sides of branches that were taken, conditions with a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counted {
    pub(crate) sides_taken: u64,
    pub(crate) conditions: Ratio,
    /// Translation units that have it: a function of a header may be in many, and its counts are not added up.
    pub(crate) copies: u32,
}

impl Export {
    /// By file as llvm-cov names it, line where the body begins, and name without the file before it.
    fn functions(&self) -> BTreeMap<(String, u32, String), Counted> {
        let mut functions: BTreeMap<(String, u32, String), Counted> = BTreeMap::new();
        for function in self.data.iter().flat_map(|data| &data.functions) {
            let (Some(file), Some(line)) =
                (function.filenames.first(), function.regions.first().and_then(|region| region.first()))
            else {
                continue;
            };
            let name = function.name.rsplit_once(':').map_or(function.name.as_str(), |(_, name)| name);
            let key = (file.clone(), *line as u32, name.to_owned());
            let taken = |branch: &Vec<u64>| {
                branch.get(4..6).map_or(0, |counts| counts.iter().filter(|count| **count > 0).count() as u64)
            };
            let counted = Counted {
                sides_taken: function.branches.iter().map(taken).sum(),
                conditions: function
                    .mcdc_records
                    .iter()
                    .map(|record| Ratio::of(record.6.iter().copied()))
                    .sum(),
                copies: 1,
            };
            // The same function of a header in several files: the best of them, as in a summary.
            let known = functions.entry(key).or_default();
            if counted.conditions.covered >= known.conditions.covered {
                known.conditions = counted.conditions;
            }
            known.sides_taken = known.sides_taken.max(counted.sides_taken);
            known.copies += 1;
        }
        functions
    }

    /// Where the measurement and llvm-cov differ; nothing when all is well. `show` names files as it does.
    pub fn differences(&self, measured: &Measured, show: impl Fn(&str) -> String) -> Vec<String> {
        let theirs: BTreeMap<(String, u32, String), Counted> = self
            .functions()
            .into_iter()
            .map(|((file, line, name), counted)| ((show(&file), line, name), counted))
            .collect();
        let mut differences = Vec::new();
        for function in &measured.functions {
            let key = (function.file.clone(), function.line, function.name.clone());
            let Some(theirs) = theirs.get(&key) else { continue };
            let sides = function.sides_by_subtraction;
            let conditions = function.mcdc_ratio(crate::Criterion::UniqueCause).covered;
            let fewer = sides < theirs.sides_taken || conditions < theirs.conditions.covered;
            let other = sides != theirs.sides_taken || conditions != theirs.conditions.covered;
            if fewer || other && theirs.copies == 1 {
                differences.push(format!(
                    "{}:{} {}: llvm-cov counts {} sides and {} conditions, this measurement {sides} and {conditions}",
                    function.file, function.line, function.name, theirs.sides_taken, theirs.conditions.covered
                ));
            }
        }
        differences
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_by_file() {
        let lines = lines_of("SF:/a.c\nDA:3,7\nDA:4,0\nend_of_record\nSF:/b.c\nDA:1,1\nend_of_record\n");
        assert_eq!(lines["/a.c"], BTreeMap::from([(3, 7), (4, 0)]));
        assert_eq!(lines["/b.c"].len(), 1);
    }
}
