//! The C header against crates/wire: every size, offset and constant, as clang sees them.

use std::mem::offset_of;
use std::process::Command;
use wire::layout::{self, NameEntry, Snapshot, flags, notes};
use wire::log::{Assumed, Concretised};
use wire::{Class, End, Header, InputEntry, MemLabel, Mode, ModeEntry, Node, Op, Record, RecordKind, State};

/// `StackOverflow` as the header writes it.
fn upper(variant: &str) -> String {
    let mut name = String::new();
    for (i, c) in variant.chars().enumerate() {
        if c.is_uppercase() && i > 0 {
            name.push('_');
        }
        name.push(c.to_ascii_uppercase());
    }
    name
}

macro_rules! structure {
    ($all:ident, $c:literal, $type:ty, [$($field:ident),* $(,)?]) => {
        $all.push((format!("sizeof({})", $c), size_of::<$type>() as u64));
        $($all.push((format!("__builtin_offsetof({}, {})", $c, stringify!($field)), offset_of!($type, $field) as u64));)*
    };
}

fn expectations() -> Vec<(String, u64)> {
    let mut all: Vec<(String, u64)> = Vec::new();
    structure!(all, "ctn_record", Record, [kind, aux, tu, site, label, value]);
    structure!(all, "ctn_node", Node, [op, sub, bits, a, b, c, x, y]);
    structure!(all, "ctn_mode_entry", ModeEntry, [tu, function, mode]);
    structure!(all, "ctn_input_entry", InputEntry, [hash, occurrence, length, offset]);
    structure!(all, "ctn_snapshot", Snapshot, [base, size, labelled]);
    structure!(all, "ctn_name_entry", NameEntry, [hash, length, reserved]);
    structure!(
        all,
        "ctn_header",
        Header,
        [
            magic,
            state,
            flags,
            driver_tu,
            driver_index,
            default_mode,
            mode_count,
            modes_offset,
            modes_size,
            input_offset,
            input_size,
            log_offset,
            log_size,
            nodes_offset,
            nodes_size,
            data_offset,
            data_size,
            names_offset,
            names_size,
            read_limit,
            write_limit,
            heap_limit,
            site_limit,
            reserved,
            worker_pid,
            server_pid,
            log_count,
            node_count,
            data_used,
            names_used,
            notes,
            end,
            end_value,
            end_tu,
            end_site,
            end_reserved,
            end_pc,
            end_address,
            executions,
            end_stack,
            image_base,
            check_mask,
            explorer_sleeps,
            runtime_sleeps,
        ]
    );
    let mut constant = |name: String, value: u64| all.push((format!("(uint64_t)CTN_{name}"), value));
    for (name, value) in [
        ("SHADOW_BASE", layout::SHADOW_BASE),
        ("SHADOW_SIZE", layout::SHADOW_SIZE),
        ("SHADOW_MASK", layout::SHADOW_MASK),
        ("SHM_BASE", layout::SHM_BASE),
        ("ARENA_BASE", layout::ARENA_BASE),
        ("SHM_FD", layout::SHM_FD as u64),
        ("MAGIC", layout::MAGIC),
        ("TEXT_OFFSET", layout::TEXT_OFFSET),
        ("TEXT_SIZE", layout::TEXT_SIZE),
        ("CALL_MAGIC", layout::CALL_MAGIC),
        ("FLAG_FORK", flags::FORK.into()),
        ("FLAG_FULL_COVERAGE", flags::FULL_COVERAGE.into()),
        ("FLAG_NO_CHECKS", flags::NO_CHECKS.into()),
        ("NOTE_TRUNCATED", notes::TRUNCATED.into()),
        ("NOTE_UNSAFE_TO_RESET", notes::UNSAFE_TO_RESET.into()),
        ("MAX_NODE", MemLabel::MAX_NODE.into()),
        ("POISON_FIRST", MemLabel::POISON_FIRST.into()),
        ("HEAP_REDZONE", MemLabel::HEAP_REDZONE.into()),
        ("HEAP_FREED", MemLabel::HEAP_FREED.into()),
        ("STACK_REDZONE", MemLabel::STACK_REDZONE.into()),
        ("STACK_DEAD", MemLabel::STACK_DEAD.into()),
        ("GLOBAL_REDZONE", MemLabel::GLOBAL_REDZONE.into()),
    ] {
        constant(name.to_owned(), value);
    }
    for state in [State::Starting, State::Idle, State::Run, State::Done, State::Quit, State::Failed] {
        constant(format!("STATE_{}", upper(&format!("{state:?}"))), state as u64);
    }
    for mode in [Mode::Real, Mode::Stub, Mode::Capture] {
        constant(format!("MODE_{}", upper(&format!("{mode:?}"))), mode as u64);
    }
    for end in End::ALL {
        constant(format!("END_{}", upper(&format!("{end:?}"))), *end as u64);
    }
    for class in Class::ALL {
        constant(format!("CLASS_{}", upper(&format!("{class:?}"))), *class as u64);
    }
    for kind in (1..=u16::MAX).map_while(RecordKind::from_code) {
        constant(format!("LOG_{}", upper(&format!("{kind:?}"))), kind as u64);
    }
    for assumed in [Assumed::Fact, Assumed::Limit] {
        constant(format!("ASSUMED_{}", upper(&format!("{assumed:?}"))), assumed as u64);
    }
    for kind in Concretised::ALL {
        constant(format!("CONC_{}", upper(&format!("{kind:?}"))), *kind as u64);
    }
    for op in Op::ALL {
        constant(format!("OP_{}", format!("{op:?}").to_ascii_uppercase()), *op as u64);
    }
    all
}

#[test]
fn header_and_crate_agree() {
    let header = include_str!("../c/wire.h");
    let mut source = format!("{header}\n");
    for (expression, value) in expectations() {
        source.push_str(&format!(
            "_Static_assert({expression} == {value}ull, \"{expression} is not {value}\");\n"
        ));
    }
    let file = std::env::temp_dir().join(format!("concertino-wire-{}.c", std::process::id()));
    std::fs::write(&file, source).unwrap();
    let output = Command::new("clang-19").arg("-fsyntax-only").arg(&file).output().unwrap();
    std::fs::remove_file(&file).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// What the header has and the list above does not, would go unnoticed.
#[test]
fn no_constant_of_the_header_is_forgotten() {
    let known: Vec<String> = expectations().into_iter().map(|(expression, _)| expression).collect();
    let header = include_str!("../c/wire.h");
    let names = header
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| word.starts_with("CTN_") && *word != "CTN_WIRE_H");
    for name in names {
        assert!(known.contains(&format!("(uint64_t){name}")), "{name}");
    }
}
