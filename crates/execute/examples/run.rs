//! Runs one driver of an instrumented image and prints what the execution left: for looking at the runtime.
//!
//! `cargo run -p concertino-execute --example run -- IMAGE UNIT:INDEX [persistent|fork] [SLOT=HEX ...]`

use execute::{Input, Limits, Session, Target, UnitSetup, Way, slot_hash};
use std::error::Error;
use wire::{Node, Op, RecordKind, SlotKey};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let image = arguments.next().ok_or("no image")?;
    let driver = arguments.next().ok_or("no driver")?;
    let (tu, index) = driver.split_once(':').ok_or("a driver is UNIT:INDEX")?;
    let unit = UnitSetup::new((u32::from_str_radix(tu, 16)?, index.parse()?));
    let mut way = Way::Persistent;
    let mut input = Input::new();
    for argument in arguments {
        match argument.as_str() {
            "persistent" => way = Way::Persistent,
            "fork" => way = Way::Fork,
            slot => {
                let (path, digits) = slot.split_once('=').ok_or("a slot is PATH=HEX")?;
                input.set(SlotKey { hash: slot_hash(path), occurrence: 0 }, &bytes(digits)?);
            }
        }
    }
    let target =
        Target::new(image, std::env::temp_dir().join(format!("concertino-run-{}", std::process::id())));
    let mut session = Session::start(&target, &unit, &Limits::default(), way)?;
    let base = session.image_base();
    let execution = session.run(&input)?;
    let ending = execution.ending();
    println!("{} {} {:?} {:?} {}", ending.end.name(), ending.value, ending.class, ending.site, ending.text);
    println!("pc {:#x} address {:#x}", ending.pc.wrapping_sub(base), ending.address);
    for address in &ending.stack {
        println!("  {:#x}", address.wrapping_sub(base));
    }
    for record in execution.log() {
        let kind = RecordKind::from_code(record.kind);
        let name =
            execution.name(record.value).filter(|_| kind == Some(RecordKind::Input)).unwrap_or_default();
        println!(
            "{kind:?} aux {} tu {:x} site {} label {} value {:#x} {name}",
            record.aux, record.tu, record.site, record.label, record.value
        );
    }
    for (label, node) in execution.nodes().iter().enumerate().skip(1) {
        let Node { op, sub, bits, a, b, c, x, y, .. } = *node;
        let op = Op::from_code(op).map_or("?", Op::name);
        println!("n{label}: {op}.{sub} bits {bits} a {a} b {b} c {c} x {x:#x} y {y:#x}");
    }
    std::fs::remove_dir_all(&target.scratch)?;
    Ok(())
}

fn bytes(digits: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    (0..digits.len() / 2)
        .map(|i| Ok(u8::from_str_radix(digits.get(2 * i..2 * i + 2).ok_or("odd digits")?, 16)?))
        .collect()
}
