//! Linking: the objects of an image with the runtime. Data that nothing defines gets zeroed storage, which
//! is reported; functions that nothing defines have their stubs in the harness already.

use crate::compile::SANITIZERS;
use crate::{BuildError, BuiltRuntime, Tools, tools};
use model::{Image, ImageId, Problem};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Room for a variable that nothing defines and whose size the linker does not know.
const MISSING_DATA_BYTES: usize = 65536;

/// Defining one symbol may pull in code that misses others.
const MISSING_DATA_ROUNDS: usize = 2;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImageKind {
    Explore,
    Replay,
    /// Native, with clang's coverage.
    Coverage,
}

#[derive(Clone, Debug)]
pub struct BuiltImage {
    pub id: ImageId,
    pub path: PathBuf,
    pub problems: Vec<Problem>,
}

/// Links the objects of one image with the runtime for its kind.
pub fn link_image(
    tools: &Tools,
    runtime: &BuiltRuntime,
    directory: &Path,
    image: &Image,
    objects: &[PathBuf],
    libraries: &[String],
    kind: ImageKind,
) -> Result<BuiltImage, BuildError> {
    std::fs::create_dir_all(directory).map_err(BuildError::io(directory))?;
    let suffix = match kind {
        ImageKind::Explore => "explore",
        ImageKind::Replay => "replay",
        ImageKind::Coverage => "coverage",
    };
    let output = directory.join(format!("{}-{}.{suffix}", image.id, file_name(&image.name)));
    let mut problems = Vec::new();
    let mut extra: Vec<PathBuf> = Vec::new();
    loop {
        let mut command = Command::new(&tools.clang);
        command.args(["-fuse-ld=lld", "-pie", "-Wl,-z,muldefs", "-Wl,--error-limit=0", "-rdynamic"]);
        match kind {
            ImageKind::Explore => {}
            ImageKind::Replay => drop(command.arg(format!("-fsanitize={SANITIZERS}"))),
            ImageKind::Coverage => drop(command.arg("-fprofile-instr-generate")),
        }
        command.args(objects).args(&extra).args(match kind {
            ImageKind::Explore => &runtime.explore_objects,
            ImageKind::Replay => &runtime.replay_objects,
            ImageKind::Coverage => &runtime.coverage_objects,
        });
        if kind == ImageKind::Explore {
            // What no execution can get to would only be copied by every fork and every reset.
            command.arg("-Wl,--start-lib").args(&runtime.model_objects).arg("-Wl,--end-lib");
        }
        command.args(libraries.iter().map(|library| format!("-l{library}")));
        // A library that nothing needs would still be mapped, and every fork copies what is mapped.
        command.args(["-Wl,--as-needed", "-lm", "-lpthread", "-ldl", "-o"]).arg(&output);
        let (message, error) = match tools::run(&mut command, &output, "linking") {
            Ok(()) => return Ok(BuiltImage { id: image.id, path: output, problems }),
            Err(BuildError::Step { message, file, step }) => {
                (message.clone(), BuildError::Step { file, step, message })
            }
            Err(error) => return Err(error),
        };
        let missing = undefined_symbols(&message);
        if missing.is_empty() || extra.len() == MISSING_DATA_ROUNDS {
            return Err(error);
        }
        let object = directory.join(format!("{}-{suffix}-missing-{}.o", image.id, extra.len()));
        define_missing(tools, &missing, &object)?;
        extra.push(object);
        problems.extend(missing.into_iter().map(|symbol| Problem {
            location: None,
            message: format!("nothing defines `{symbol}`: zeroed storage takes its place in {}", image.name),
        }));
    }
}

/// The symbols that lld misses, from its messages.
fn undefined_symbols(message: &str) -> BTreeSet<String> {
    message
        .lines()
        .filter_map(|line| line.split("undefined symbol: ").nth(1))
        .map(|symbol| symbol.trim().to_owned())
        .filter(|symbol| {
            !symbol.is_empty() && symbol.chars().all(|c| c.is_alphanumeric() || "_$.".contains(c))
        })
        .collect()
}

fn define_missing(tools: &Tools, symbols: &BTreeSet<String>, object: &Path) -> Result<(), BuildError> {
    let source = object.with_extension("s");
    let mut text = String::from("# Symbols that the program uses and nothing defines.\n\t.bss\n");
    for symbol in symbols {
        text.push_str(&format!(
            "\t.balign 64\n\t.weak \"{symbol}\"\n\"{symbol}\":\n\t.zero {MISSING_DATA_BYTES}\n"
        ));
    }
    text.push_str("\t.section .note.GNU-stack,\"\",@progbits\n");
    std::fs::write(&source, text).map_err(BuildError::io(&source))?;
    tools::run(Command::new(&tools.clang).arg("-c").arg(&source).arg("-o").arg(object), &source, "assembling")
}

fn file_name(name: &str) -> String {
    name.chars()
        .map(|c| if c.is_alphanumeric() || c == '-' || c == '_' || c == '.' { c } else { '_' })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_lld_messages() {
        let message = "ld.lld: error: undefined symbol: g_table\n>>> referenced by a.c:3\nld.lld: error: undefined symbol: x\n";
        assert_eq!(undefined_symbols(message), BTreeSet::from(["g_table".to_owned(), "x".to_owned()]));
    }
}
