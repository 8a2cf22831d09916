//! The C headers against crates/wire: every size, offset and constant, as clang sees them, and digests.

use std::mem::offset_of;
use std::process::Command;
use wire::digest::{self, Mark, NO_OPERAND};
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
    structure!(all, "ctn_record", Record, [kind, aux, tu, site, label, value, mark]);
    structure!(all, "ctn_node", Node, [op, sub, bits, a, b, c, x, y, digest]);
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

/// A table with nodes of every operation, and the digests that it has: 0 where the runtime knows none.
fn nodes() -> Vec<Node> {
    let mut nodes = vec![Node { digest: NO_OPERAND, ..Node::default() }];
    let mut state = 1u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.rotate_left(32)
    };
    for op in Op::ALL.iter().chain(Op::ALL).chain(Op::ALL) {
        let mut earlier = || (random() % nodes.len() as u64) as u32;
        let (a, b, c) = (earlier(), earlier(), earlier());
        let (bits, sub, [x, y]) = (random() as u16, random() as u8, [random(), random()]);
        let mut node = Node { op: *op as u8, sub, bits, a, b, c, x, y, digest: 0 };
        let is_leaf = matches!(op, Op::Const | Op::Input);
        let operands = if matches!(op, Op::Ite | Op::FFma) { vec![a, b, c] } else { vec![a, b] };
        if is_leaf || operands.iter().all(|operand| nodes[*operand as usize].digest != 0) {
            node.digest = digest::of(&node, |label| nodes[label as usize].digest).unwrap_or(0);
        }
        nodes.push(node);
    }
    nodes
}

/// Records of every kind about these nodes.
fn records(nodes: &[Node]) -> Vec<Record> {
    let kinds = (1..=u16::MAX).map_while(RecordKind::from_code);
    let of = |(kind, aux)| (1..nodes.len() as u32).step_by(7).map(move |label| (kind, aux, label));
    let all = kinds.flat_map(|kind| [(kind as u16, 0), (kind as u16, 3)]).flat_map(of);
    let of = |(number, (kind, aux, label)): (u64, (u16, u16, u32))| {
        let value = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Record { kind, aux, tu: 7 * label, site: number as u32, label: label / 2, value, mark: 0 }
    };
    (0..).zip(all).map(of).collect()
}

#[test]
fn the_runtime_makes_the_same_digests_and_marks() {
    let nodes = nodes();
    assert!(nodes.iter().filter(|node| node.digest != 0).count() > nodes.len() / 2);
    let mut source = format!(
        "{}\nstatic ctn_node nodes[] = {{\n",
        include_str!("../c/digest.h").replace("\"wire.h\"", "WIRE")
    );
    for Node { op, sub, bits, a, b, c, x, y, .. } in &nodes {
        source.push_str(&format!("{{{op}, {sub}, {bits}, {a}u, {b}u, {c}u, {x}ull, {y}ull, 0}},\n"));
    }
    source.push_str("};\nstatic const uint64_t digests[] = {\n");
    nodes.iter().for_each(|node| source.push_str(&format!("{}ull,\n", node.digest)));
    source.push_str("};\nstatic const ctn_record records[] = {\n");
    let mut mark = Mark::default();
    for record in records(&nodes) {
        let Record { kind, aux, tu, site, label, value, .. } = record;
        let term = if record.has_term() { nodes[label as usize].digest } else { 0 };
        mark = mark.behind(&record, term);
        source
            .push_str(&format!("{{{kind}, {aux}, {tu}u, {site}u, {label}u, {value}ull, {}ull}},\n", mark.0));
    }
    source.push_str(
        "};\nint main(void)\n{\n    nodes[0].digest = CTN_NO_OPERAND;\n    if (nodes[0].digest != digests[0]) return 1;\n    \
         for (unsigned i = 1; i < sizeof nodes / sizeof *nodes; i++) {\n        nodes[i].digest = ctn_digest(nodes, i, &nodes[i]);\n        \
         if (nodes[i].digest != digests[i]) return 1;\n    }\n    uint64_t mark = 0;\n    \
         for (unsigned i = 0; i < sizeof records / sizeof *records; i++) {\n        const ctn_record *r = &records[i];\n        \
         uint64_t term = r->label && ctn_has_term(r->kind) ? nodes[r->label].digest : 0;\n        \
         if (r->kind != CTN_LOG_COVER) mark = ctn_mark(mark, r, term);\n        if (mark != r->mark) return 2;\n    }\n    \
         return 0;\n}\n",
    );
    let place = std::env::temp_dir().join(format!("concertino-digest-{}", std::process::id()));
    let file = place.with_extension("c");
    std::fs::write(&file, source).unwrap();
    let header = format!("-DWIRE=\"{}/c/wire.h\"", env!("CARGO_MANIFEST_DIR"));
    let compiled = Command::new("clang-19").arg(header).arg(&file).arg("-o").arg(&place).output().unwrap();
    std::fs::remove_file(&file).unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let ran = Command::new(&place).status().unwrap();
    std::fs::remove_file(&place).unwrap();
    assert_eq!(ran.code(), Some(0), "1: a digest is not the same, 2: a mark");
}
