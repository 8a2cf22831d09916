//! One C file per behaviour under tests/c/log, the path log it leaves beside it as text. The first line of
//! the C file gives the inputs (`// x=7 y=3`). `CONCERTINO_BLESS=1` writes the expectations anew.

#[allow(dead_code)]
mod support;

use model::sites::SiteTable;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use support::{instrumented, kit, sources};
use wire::log::Concretised;
use wire::{Class, End, Node, Op, RecordKind};

#[test]
fn logs_are_as_expected() {
    let bless = std::env::var_os("CONCERTINO_BLESS").is_some();
    let mut wrong = Vec::new();
    for source in sources("log") {
        let got = log_of(&source);
        let expectation = source.with_extension("expected");
        if bless {
            std::fs::write(&expectation, &got).unwrap();
        }
        let expected = std::fs::read_to_string(&expectation).unwrap_or_default();
        if got != expected {
            wrong.push(format!("{}:\n--- expected\n{expected}--- got\n{got}", source.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn log_of(source: &Path) -> String {
    let text = std::fs::read_to_string(source).unwrap();
    let inputs: Vec<String> = text
        .lines()
        .next()
        .and_then(|line| line.strip_prefix("//"))
        .map(|line| line.split_whitespace().map(str::to_string).collect())
        .unwrap_or_default();
    let kit = kit("logs");
    let built = instrumented(kit, source, &[]);
    let table: SiteTable = serde_json::from_slice(&std::fs::read(&built.sites).unwrap()).unwrap();
    let dump = built.program.with_extension("log");
    // The host prints its log to descriptor 9, apart from what the program prints.
    let output = Command::new("sh")
        .args(["-c", "exec timeout 20 \"$0\" \"$@\" 9>\"$LOG\""])
        .arg(&built.program)
        .args(&inputs)
        .env("LOG", &dump)
        .output()
        .unwrap();
    let text = std::fs::read_to_string(&dump).unwrap();
    assert!(text.contains("end "), "{}: {}", source.display(), String::from_utf8_lossy(&output.stderr));
    render(&table, &text)
}

fn render(table: &SiteTable, dump: &str) -> String {
    let mut nodes: HashMap<u32, Node> = HashMap::new();
    let mut out = String::new();
    for line in dump.lines() {
        let mut words = line.split(' ');
        let kind = words.next().unwrap();
        let n: Vec<u64> = words
            .map(|word| word.parse::<i64>().map_or_else(|_| word.parse().unwrap(), |v| v as u64))
            .collect();
        match kind {
            "node" => {
                let [index, op, sub, bits, a, b, c, x, y] = n[..] else { panic!("{line}") };
                let node = Node {
                    op: op as u8,
                    sub: sub as u8,
                    bits: bits as u16,
                    a: a as u32,
                    b: b as u32,
                    c: c as u32,
                    x,
                    y,
                    digest: 0,
                };
                nodes.insert(index as u32, node);
            }
            "record" => {
                let [kind, aux, tu, site, label, value] = n[..] else { panic!("{line}") };
                assert_eq!(tu, u64::from(support::TU), "{line}");
                let kind = RecordKind::from_code(kind as u16).unwrap();
                if kind == RecordKind::Cover {
                    continue;
                }
                let place = table.sites[site as usize].line;
                let text = term(&nodes, label as u32);
                let _ = match kind {
                    RecordKind::Branch => writeln!(out, "{place}: branch {value} {text}"),
                    RecordKind::Switch => writeln!(out, "{place}: switch to {aux} {text}"),
                    RecordKind::Check => {
                        let class = Class::from_code(aux as u16).unwrap().name();
                        writeln!(
                            out,
                            "{place}: check {class} {} {text}",
                            if value == 1 { "violated" } else { "holds" }
                        )
                    }
                    RecordKind::Concretised => {
                        let why = Concretised::from_code(aux as u16).unwrap().name();
                        writeln!(out, "{place}: concretised {why} {text}")
                    }
                    RecordKind::Lost => {
                        writeln!(out, "{place}: lost {}", Concretised::from_code(aux as u16).unwrap().name())
                    }
                    RecordKind::Indirect => writeln!(out, "{place}: indirect call {text}"),
                    other => writeln!(out, "{place}: {other:?}"),
                };
            }
            "end" => {
                let [end, value, site] = n[..] else { panic!("{line}") };
                let name = End::from_code(end as u32).unwrap();
                let _ = if name == End::Violation {
                    let class = Class::from_code(value as u16).unwrap().name();
                    writeln!(out, "{}: violation {class}", table.sites[site as usize].line)
                } else {
                    writeln!(out, "{} {}", name.name(), value as i64)
                };
            }
            _ => panic!("{line}"),
        }
    }
    out
}

/// Addresses differ from run to run: they are printed as `&`.
fn constant(value: u64) -> String {
    if value >> 40 != 0 && value >> 47 == 0 { "&".to_string() } else { (value as i64).to_string() }
}

fn term(nodes: &HashMap<u32, Node>, label: u32) -> String {
    let Some(node) = nodes.get(&label) else { return "-".to_string() };
    let op = Op::from_code(node.op).unwrap();
    let a = || if node.a == 0 { constant(node.x) } else { term(nodes, node.a) };
    let b = || if node.b == 0 { constant(node.y) } else { term(nodes, node.b) };
    match op {
        Op::Const => constant(node.x),
        Op::Input => String::from_utf8_lossy(&node.x.to_le_bytes()).trim_end_matches('\0').to_string(),
        Op::Extract => format!("{}[{}+{}]", a(), node.x, node.bits),
        Op::ZExt | Op::SExt => format!("({}{} {})", op.name(), node.bits, a()),
        Op::Ite => {
            let then = if node.b == 0 { constant(node.x) } else { term(nodes, node.b) };
            let otherwise = if node.c == 0 { constant(node.y) } else { term(nodes, node.c) };
            format!("(ite {} {then} {otherwise})", a())
        }
        Op::Read => format!("(read{} {})", node.bits, a()),
        Op::FCmp => format!("(fcmp.{} {} {})", node.sub, a(), b()),
        Op::CtPop
        | Op::Ctlz
        | Op::Cttz
        | Op::BSwap
        | Op::BitReverse
        | Op::FNeg
        | Op::FAbs
        | Op::FSqrt
        | Op::FFloor
        | Op::FCeil
        | Op::FTrunc
        | Op::FRint
        | Op::FRound
        | Op::FpToSi
        | Op::FpToUi
        | Op::SiToFp
        | Op::UiToFp
        | Op::FpExt
        | Op::FpTrunc => format!("({}{} {})", op.name(), node.bits, a()),
        _ => format!("({} {} {})", op.name(), a(), b()),
    }
}
