//! What recorded processes say about the inputs of functions -> samples, stored beside the profile they came with.
//!
//! A sample is an input of the function's driver, as a real call had it. Functions are known by file and name; what a
//! sample names that the driver does not ask for (any more) is ignored when it is run.

use anyhow::{Context, Result};
use campaign::{FunctionName, Input, Slot};
use invariant::Invariant;
use model::Program;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Samples of one function that are used, however many recordings there are.
const MOST: usize = 32;

/// Flags of a recorded sample.
const OUTSIDE: u32 = 1;
const TOO_LARGE: u32 = 2;
const CUT: u32 = 4;

/// One captured call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sample {
    pub(super) input: Input,
    /// The driver assumes that this cannot be.
    pub(super) outside: bool,
    /// The driver makes nothing that large.
    pub(super) too_large: bool,
    /// Of some buffer only the beginning was kept.
    pub(super) cut: bool,
    /// Choices that were left as they are by default, because nothing tells what they were.
    pub(super) left: u32,
}

/// Reads what processes wrote: a line `sample unit function flags left`, then a line per slot, then an empty one. What
/// is none of this is skipped: a process may have been killed while it wrote.
pub(super) fn read(text: &str, program: &Program) -> Vec<Sample> {
    let function = |words: &mut Words| {
        let tag = u32::from_str_radix(words.next()?, 16).ok()?;
        let name = words.next()?;
        let file = program.files.iter().find(|file| file.tag == tag)?.id;
        let is_it = |function: &&model::Function| function.file == file && function.name == name;
        program.functions.iter().find(is_it).map(super::units::name)
    };
    samples(text, "sample ", &function)
}

type Words<'t> = std::str::Split<'t, char>;

fn samples(text: &str, begin: &str, function: &dyn Fn(&mut Words) -> Option<FunctionName>) -> Vec<Sample> {
    let one = |block: &str| sample(&block[block.find(begin)?..], function);
    text.split("\n\n").filter_map(one).collect()
}

fn sample(block: &str, function: &dyn Fn(&mut Words) -> Option<FunctionName>) -> Option<Sample> {
    let mut lines = block.lines();
    let mut head = lines.next()?.split(' ');
    head.next()?;
    let function = function(&mut head)?;
    let flags: u32 = head.next()?.parse().ok()?;
    let left = head.next()?.parse().ok()?;
    let slots: Option<Vec<Slot>> = lines.map(slot).collect();
    let flag = |bit: u32| flags & bit != 0;
    let input = Input::new(function, slots?);
    Some(Sample { input, outside: flag(OUTSIDE), too_large: flag(TOO_LARGE), cut: flag(CUT), left })
}

fn slot(line: &str) -> Option<Slot> {
    let mut words = line.splitn(4, ' ');
    let occurrence = u32::from_str_radix(words.next()?, 16).ok()?;
    let bits = words.next()?.parse().ok()?;
    let digits = words.next()?.trim_end_matches('-');
    let path = words.next()?.to_owned();
    let byte = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    let bytes = (0..digits.len()).step_by(2).map(byte).collect::<Option<Vec<u8>>>()?;
    Some(Slot { hash: execute::slot_hash(&path), path, occurrence, bits, bytes })
}

/// The same form, with names of functions that last.
pub(super) fn store(path: &Path, samples: &[Sample]) -> Result<()> {
    let mut text = String::new();
    for Sample { input, outside, too_large, cut, left } in samples {
        let flag = |is_set: &bool, bit: u32| if *is_set { bit } else { 0 };
        let flags = flag(outside, OUTSIDE) | flag(too_large, TOO_LARGE) | flag(cut, CUT);
        let FunctionName { file, name, line } = &input.function;
        let _ = writeln!(text, "call {line} {name} {} {flags} {left}", file.replace(' ', "%20"));
        for Slot { path, occurrence, bits, bytes, .. } in &input.slots {
            let _ = write!(text, "{occurrence:x} {bits} ");
            for byte in bytes {
                let _ = write!(text, "{byte:02x}");
            }
            let _ = writeln!(text, "{} {path}", if bytes.is_empty() { "-" } else { "" });
        }
        text.push('\n');
    }
    let part = path.with_extension("samples.part");
    std::fs::write(&part, text)
        .and_then(|()| std::fs::rename(&part, path))
        .with_context(|| format!("cannot write {}", path.display()))
}

fn stored(text: &str) -> Vec<Sample> {
    samples(text, "call ", &|words| {
        let line = words.next()?.parse().ok()?;
        let name = words.next()?.to_owned();
        Some(FunctionName { line, name, file: words.next()?.replace("%20", " ") })
    })
}

/// The likely invariants of all functions, by file and name.
pub fn invariants(campaign: &Path) -> Result<BTreeMap<(String, String), Vec<Invariant>>> {
    let samples = Samples::load(&campaign.join("profile"))?;
    Ok(samples.by_function.into_iter().map(|(function, of)| (function, inferred(&of))).collect())
}

/// From all samples: those that no driver can be run with are calls, too.
fn inferred(samples: &[Sample]) -> Vec<Invariant> {
    let inputs: Vec<Input> = samples.iter().map(|sample| sample.input.clone()).collect();
    invariant::infer(&inputs)
}

/// The samples of all recordings, by file and name of their function.
#[derive(Debug, Default)]
pub(super) struct Samples {
    by_function: BTreeMap<(String, String), Vec<Sample>>,
}

impl Samples {
    pub(super) fn load(directory: &Path) -> Result<Samples> {
        let mut paths: Vec<PathBuf> =
            std::fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "samples"));
        paths.sort();
        let mut all = Samples::default();
        let mut seen = BTreeSet::new();
        for path in paths {
            let text = std::fs::read_to_string(&path).with_context(|| {
                format!(
                    "{} holds no samples; remove it and record again with `concertino profile`",
                    path.display()
                )
            })?;
            for sample in stored(&text) {
                let function = &sample.input.function;
                let of = all.by_function.entry((function.file.clone(), function.name.clone())).or_default();
                if of.len() < MOST && seen.insert(campaign::fingerprint([sample.input.to_text()])) {
                    of.push(sample);
                }
            }
        }
        Ok(all)
    }

    /// Those that a driver can be run with, at most so many.
    pub(super) fn inputs(&self, function: &FunctionName, most: usize) -> Vec<Input> {
        // With part of a buffer, the rest of the input says something else about it than it is.
        let fits = |sample: &&Sample| !sample.outside && !sample.too_large && !sample.cut;
        self.of(function).iter().filter(fits).take(most).map(|sample| sample.input.clone()).collect()
    }

    pub(super) fn invariants(&self, function: &FunctionName) -> Vec<Invariant> {
        inferred(self.of(function))
    }

    fn of(&self, function: &FunctionName) -> &[Sample] {
        let key = (function.file.clone(), function.name.clone());
        self.by_function.get(&key).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_last() {
        let function = FunctionName { file: "a b.c".into(), name: "f".into(), line: 7 };
        let slot = |path: &str, bits, bytes: &[u8]| Slot {
            path: path.to_owned(),
            hash: execute::slot_hash(path),
            occurrence: 1,
            bits,
            bytes: bytes.to_vec(),
        };
        let slots = vec![slot("n", 32, &[3, 0, 0, 255]), slot("p->text", 8, b"ab"), slot("p?null", 8, &[])];
        let sample = |outside, cut| Sample {
            input: Input::new(function.clone(), slots.clone()),
            outside,
            too_large: false,
            cut,
            left: 2,
        };
        let (directory, kept) = (tempfile::tempdir().unwrap(), [sample(true, false), sample(false, true)]);
        let path = directory.path().join("0001.samples");
        store(&path, &kept).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(stored(&text), kept);
        assert_eq!(stored(&text[..text.len() - 9]), kept[..1], "cut off");
        let samples = Samples::load(directory.path()).unwrap();
        assert_eq!(
            samples.inputs(&function, 9),
            [],
            "equal inputs are one sample, and the first contradicts the driver"
        );
    }
}
