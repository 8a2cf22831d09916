//! What `main` is run with, as people write it: `2x8` arguments, `NAME=64` files and variables.

use crate::{args, config};
use harness::World;
use std::path::Path;
use thiserror::Error;

/// Beyond these an execution has more inputs than can be explored.
const MOST_ARGUMENTS: usize = 64;
const MOST_BYTES: u32 = 65_536;

#[derive(Debug, Error, PartialEq, Eq)]
pub enum WorldError {
    #[error("`{0}` is not a number of arguments such as 2x8 (two of up to eight bytes) or 1x16,2x4")]
    Arguments(String),
    #[error("more than {MOST_ARGUMENTS} arguments")]
    TooManyArguments,
    #[error("`{0}` is not of the form NAME=LENGTH, with a length of 1 to {MOST_BYTES} bytes")]
    Named(String),
    #[error("{0} bytes are too many: at most {MOST_BYTES}")]
    TooLong(u32),
    #[error("`{0}` holds a NUL byte")]
    Nul(String),
}

pub fn read(program: &config::Program) -> Result<World, WorldError> {
    if program.stdin > MOST_BYTES {
        return Err(WorldError::TooLong(program.stdin));
    }
    let texts = program.fixed_args.iter().chain(&program.real_files);
    if let Some(text) = texts.into_iter().find(|text| text.contains('\0')) {
        return Err(WorldError::Nul(text.clone()));
    }
    Ok(World {
        name: String::new(),
        fixed: program.fixed_args.clone(),
        arguments: arguments(&program.args)?,
        standard_input: program.stdin,
        files: program.files.iter().map(|text| named(text)).collect::<Result<_, _>>()?,
        readable: program.real_files.iter().map(|text| readable(text)).collect(),
        variables: program.env.iter().map(|text| named(text)).collect::<Result<_, _>>()?,
    })
}

fn arguments(text: &str) -> Result<Vec<u32>, WorldError> {
    let wrong = || WorldError::Arguments(text.to_owned());
    let mut lengths = Vec::new();
    for group in text.split(',').map(str::trim).filter(|group| !group.is_empty() && *group != "0") {
        let (count, length) = group.split_once('x').ok_or_else(wrong)?;
        let count: usize = count.trim().parse().map_err(|_| wrong())?;
        let length: u32 = length.trim().parse().map_err(|_| wrong())?;
        if length > MOST_BYTES {
            return Err(WorldError::TooLong(length));
        }
        if count > MOST_ARGUMENTS || lengths.len() + count > MOST_ARGUMENTS {
            return Err(WorldError::TooManyArguments);
        }
        lengths.extend(std::iter::repeat_n(length, count));
    }
    Ok(lengths)
}

fn named(text: &str) -> Result<(String, u32), WorldError> {
    let wrong = || WorldError::Named(text.to_owned());
    let (name, length) = text.rsplit_once('=').ok_or_else(wrong)?;
    let length: u32 = length.trim().parse().map_err(|_| wrong())?;
    if name.is_empty() || name.contains('\0') || !(1..=MOST_BYTES).contains(&length) {
        return Err(wrong());
    }
    Ok((name.to_owned(), length))
}

fn readable(text: &str) -> (String, String) {
    let (name, path) = text.split_once('=').unwrap_or((text, text));
    (name.to_owned(), path.to_owned())
}

/// The paths of real files, made absolute: tested code runs in a directory of its own.
pub fn found_from(root: &Path, world: &World) -> World {
    let absolute = |(name, path): &(String, String)| (name.clone(), root.join(path).display().to_string());
    World { readable: world.readable.iter().map(absolute).collect(), ..world.clone() }
}

/// The configuration with the flags over it.
pub fn with_flags(program: &config::Program, flags: &args::World) -> config::Program {
    let mut program = program.clone();
    if let Some(given) = &flags.sym_args {
        program.args.clone_from(given);
    }
    if let Some(given) = flags.sym_stdin {
        program.stdin = given;
    }
    for (given, into) in [
        (&flags.args, &mut program.fixed_args),
        (&flags.sym_files, &mut program.files),
        (&flags.real_files, &mut program.real_files),
        (&flags.sym_env, &mut program.env),
    ] {
        if !given.is_empty() {
            into.clone_from(given);
        }
    }
    program
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_groups() {
        assert_eq!(arguments("2x8"), Ok(vec![8, 8]));
        assert_eq!(arguments("1x16, 2x4"), Ok(vec![16, 4, 4]));
        assert_eq!(arguments("0"), Ok(vec![]));
        for wrong in ["8", "x", "2x", "-1x4", "2*8", "2x8x1"] {
            assert_eq!(arguments(wrong), Err(WorldError::Arguments(wrong.to_owned())), "{wrong}");
        }
        assert_eq!(arguments("65x1"), Err(WorldError::TooManyArguments));
        assert_eq!(arguments("99999999999x1"), Err(WorldError::TooManyArguments));
    }

    #[test]
    fn names_have_lengths() {
        assert_eq!(named("A=64"), Ok(("A".to_owned(), 64)));
        assert_eq!(named("a=b=3"), Ok(("a=b".to_owned(), 3)));
        for wrong in ["A", "=3", "A=", "A=x", "A=0", "A=65537"] {
            assert!(named(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn real_files_are_found_from_the_project() {
        let given = ["a.txt", "/etc/x=data/x", "/usr/share/x"];
        let world = World { readable: given.map(readable).to_vec(), ..World::default() };
        let found = found_from(Path::new("/p"), &world).readable;
        let found: Vec<(&str, &str)> = found.iter().map(|(name, path)| (&**name, &**path)).collect();
        let expected = [("a.txt", "/p/a.txt"), ("/etc/x", "/p/data/x"), ("/usr/share/x", "/usr/share/x")];
        assert_eq!(found, expected);
    }

    #[test]
    fn the_defaults_agree() {
        assert_eq!(read(&config::Program::default()), Ok(World::default()));
    }
}
