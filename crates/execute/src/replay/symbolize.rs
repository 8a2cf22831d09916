//! Turns the addresses in a sanitizer's report into places in the source, in the form the sanitizers
//! themselves use. Done here because inside the sandbox no symbolizer can be started.

use std::fmt::Write;
use std::path::Path;

pub(super) fn symbolize(text: &str, image: &Path) -> String {
    let Some(name) = image.file_name().and_then(|name| name.to_str()) else { return text.to_owned() };
    // Loading debug information is only worth it for a report with frames.
    if !text.lines().any(|line| offset(line, name).is_some()) {
        return text.to_owned();
    }
    let Ok(loader) = addr2line::Loader::new(image) else { return text.to_owned() };
    let mut output = String::with_capacity(text.len());
    let mut number = 0;
    for line in text.lines() {
        let Some(frame) = Frame::parse(line) else {
            number = 0;
            output.push_str(line);
            output.push('\n');
            continue;
        };
        if frame.number == 0 {
            number = 0;
        }
        let before = number;
        if let Some(offset) = offset(line, name) {
            // Return addresses stand after the call; the innermost frame is the fault itself.
            let address = if frame.number == 0 { offset } else { offset.saturating_sub(1) };
            number += write_frames(&mut output, &loader, address, number, frame.address);
        }
        if number == before {
            let _ = writeln!(output, "    #{number} {} {}", frame.address, frame.rest);
            number += 1;
        }
    }
    output
}

/// `    #3 0x5581 (/dir/image+0x1234) (BuildId: ...)`.
struct Frame<'a> {
    number: u32,
    address: &'a str,
    rest: &'a str,
}

impl<'a> Frame<'a> {
    fn parse(line: &'a str) -> Option<Frame<'a>> {
        let (number, rest) = line.trim_start().strip_prefix('#')?.split_once(' ')?;
        let (address, rest) = rest.trim_start().split_once(' ')?;
        address.starts_with("0x").then_some(Frame {
            number: number.parse().ok()?,
            address,
            rest: rest.trim_start(),
        })
    }
}

fn offset(line: &str, image: &str) -> Option<u64> {
    Frame::parse(line)?;
    let (_, rest) = line.split_once(&format!("/{image}+0x"))?;
    u64::from_str_radix(rest.split(')').next()?, 16).ok()
}

/// One line per function inlined there, innermost first; how many there were.
fn write_frames(
    output: &mut String,
    loader: &addr2line::Loader,
    offset: u64,
    first: u32,
    address: &str,
) -> u32 {
    let mut written = 0;
    let Ok(mut frames) = loader.find_frames(offset) else { return 0 };
    while let Ok(Some(frame)) = frames.next() {
        let Some(location) = frame.location else { continue };
        let (Some(file), Some(line)) = (location.file, location.line) else { continue };
        let function = frame.function.as_ref().and_then(|name| name.raw_name().ok());
        let function = function.as_deref().unwrap_or("??");
        let _ = write!(output, "    #{} {address} in {function} {file}:{line}", first + written);
        if let Some(column) = location.column.filter(|column| *column > 0) {
            let _ = write!(output, ":{column}");
        }
        output.push('\n');
        written += 1;
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_told_from_other_lines() {
        let line = "    #1 0x55f1  (/tmp/a b/img+0x12f3) (BuildId: 77)";
        assert_eq!(offset(line, "img"), Some(0x12f3));
        assert_eq!(offset(line, "other"), None);
        assert_eq!(offset("==1==ERROR: /img+0x12f3)", "img"), None);
        assert_eq!(Frame::parse(line).map(|frame| frame.number), Some(1));
    }
}
