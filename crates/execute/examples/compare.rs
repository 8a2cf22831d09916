//! Runs the same random inputs persistently and forked and compares what they leave: a reset that forgets
//! something shows as a difference.
//!
//! `cargo run -p concertino-execute --example compare -- IMAGE UNIT:INDEX [RUNS]`

use execute::{Ending, ExecuteError, Input, Limits, Session, Target, UnitSetup, Way};
use std::collections::BTreeMap;
use std::error::Error;
use wire::{Node, Record, RecordKind, SlotKey};

struct Left {
    ending: Ending,
    log: Vec<Record>,
    nodes: Vec<Node>,
}

fn run(session: &mut Session, input: &Input) -> Result<Left, ExecuteError> {
    let execution = session.run(input)?;
    // Counters are reported once per process, so these records must differ.
    let log =
        execution.log().iter().filter(|record| record.kind != RecordKind::Cover as u16).copied().collect();
    Ok(Left { ending: execution.ending().clone(), log, nodes: execution.nodes().to_vec() })
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let image = arguments.next().ok_or("no image")?;
    let driver = arguments.next().ok_or("no driver")?;
    let runs: u32 = arguments.next().map_or(Ok(1000), |runs| runs.parse())?;
    let (tu, index) = driver.split_once(':').ok_or("a driver is UNIT:INDEX")?;
    let unit = UnitSetup::new((u32::from_str_radix(tu, 16)?, index.parse()?));
    let scratch = std::env::temp_dir().join(format!("concertino-compare-{}", std::process::id()));
    let target = Target::new(image, &scratch);
    let mut persistent = Session::start(&target, &unit, &Limits::default(), Way::Persistent)?;
    let mut forked = Session::start(&target, &unit, &Limits::default(), Way::Fork)?;

    let mut slots: BTreeMap<SlotKey, usize> = BTreeMap::new();
    let mut seed = 1u64;
    let mut random = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    let (mut differences, mut ends) = (0, BTreeMap::<&str, u32>::new());
    for _ in 0..runs {
        let input: Input = slots
            .iter()
            .map(|(slot, size)| {
                // Small numbers reach more of most programs than large ones; a single byte is often a choice.
                let small = random() % 2 == 0;
                let below = if *size == 1 {
                    2
                } else if small {
                    12
                } else {
                    128
                };
                let bytes = (0..*size).map(|i| if small && i % 4 != 0 { 0 } else { random() as u8 % below });
                (*slot, bytes.collect())
            })
            .collect();
        let (one, other) = (run(&mut persistent, &input)?, run(&mut forked, &input)?);
        *ends.entry(one.ending.end.name()).or_default() += 1;
        if one.ending != other.ending || one.log != other.log || one.nodes != other.nodes {
            differences += 1;
            println!("{:?}\n{:?}\n{input:?}", one.ending, other.ending);
        }
        for record in one.log.iter().filter(|record| record.kind == RecordKind::Input as u16) {
            let slot = SlotKey { hash: record.value, occurrence: record.tu };
            let size = record.site as usize * usize::from(record.aux) / 8;
            slots.entry(slot).and_modify(|old| *old = size.max(*old)).or_insert(size);
        }
    }
    println!("{runs} runs, {differences} differences, {ends:?}, {:?}", persistent.statistics());
    std::fs::remove_dir_all(scratch)?;
    Ok(())
}
