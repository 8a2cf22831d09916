//! `concertino-instrument`: one translation unit's bitcode in, object file and site table out.
//!
//! Exit codes: 0 done, 1 the unit could not be instrumented, 2 wrong usage. Anything else is LLVM's.

use instrument::{Mode, Request, instrument};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str =
    "usage: concertino-instrument --mode explore|switch --tu HEX --in x.bc [--inline inline.bc]
       [--redirect redirects.txt] --out x.o --sites x.sites.json [--emit-bc y.bc] [-O LEVEL]";

fn main() -> ExitCode {
    let request = match parse(std::env::args_os().skip(1)) {
        Ok(request) => request,
        Err(message) => {
            eprintln!("{message}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match instrument(&request) {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", request.input.display());
            ExitCode::from(1)
        }
    }
}

fn parse(mut arguments: impl Iterator<Item = OsString>) -> Result<Request, String> {
    let (mut mode, mut tu, mut input, mut output, mut sites) = (None, None, None, None, None);
    let (mut inline, mut redirects, mut emit_bitcode, mut optimise) = (None, None, None, 2);
    while let Some(flag) = arguments.next() {
        let flag = flag.to_string_lossy().into_owned();
        let value = arguments.next().ok_or_else(|| format!("{flag} needs a value"))?;
        let text = value.to_string_lossy().into_owned();
        let path = PathBuf::from(value);
        match flag.as_str() {
            "--mode" => mode = Some(parse_mode(&text)?),
            "--tu" => tu = Some(parse_tag(&text)?),
            "--in" => input = Some(path),
            "--inline" => inline = Some(path),
            "--redirect" => redirects = Some(path),
            "--out" => output = Some(path),
            "--sites" => sites = Some(path),
            "--emit-bc" => emit_bitcode = Some(path),
            "-O" => optimise = text.parse().map_err(|_| format!("-O {text}: not a level"))?,
            _ => return Err(format!("unknown option {flag}")),
        }
    }
    let missing = |name: &str| format!("{name} is missing");
    Ok(Request {
        mode: mode.ok_or_else(|| missing("--mode"))?,
        tu: tu.ok_or_else(|| missing("--tu"))?,
        input: input.ok_or_else(|| missing("--in"))?,
        inline,
        redirects,
        output: output.ok_or_else(|| missing("--out"))?,
        sites: sites.ok_or_else(|| missing("--sites"))?,
        emit_bitcode,
        optimise,
    })
}

fn parse_mode(text: &str) -> Result<Mode, String> {
    match text {
        "explore" => Ok(Mode::Explore),
        "switch" => Ok(Mode::Switch),
        _ => Err(format!("--mode {text}: neither explore nor switch")),
    }
}

fn parse_tag(text: &str) -> Result<u32, String> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    u32::from_str_radix(digits, 16).map_err(|_| format!("--tu {text}: not a hexadecimal tag"))
}
