//! The compiler's opinion on the model: every spelling must be valid after the source, with the size and
//! alignment that the model says, every field where the model says.
//!
//! `LAYOUT_OF=path` checks a project of yours as well.

use model::{Options, Program, Source, TranslationUnit, TypeKind};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// C text that includes the unit's source and checks everything that can be named; bit-fields at run time.
fn checks(unit: &TranslationUnit) -> String {
    let mut text = format!("#include \"{}\"\n", unit.path.display());
    let mut run = String::new();
    for (id, ty) in unit.types.iter().enumerate() {
        let Some(spelling) = &ty.spelling else { continue };
        writeln!(text, "typedef __typeof__({spelling}) ctn_t{id};").unwrap();
        if let (Some(size), Some(align)) = (ty.size, ty.align) {
            writeln!(text, "_Static_assert(sizeof(ctn_t{id}) == {size}, \"size of t{id}\");").unwrap();
            writeln!(text, "_Static_assert(_Alignof(ctn_t{id}) == {align}, \"align of t{id}\");").unwrap();
        }
        let TypeKind::Record(record) = &ty.kind else { continue };
        if ty.size.is_none() || ty.is_const {
            continue;
        }
        // The C library has macros with the names of its own fields (sa_handler, st_atime).
        for field in unit.record(*record).fields.iter().filter(|_| !unit.record(*record).is_system) {
            let (Some(name), offset) = (&field.name, field.offset_bits) else { continue };
            match field.bit_width {
                None => writeln!(
                    text,
                    "_Static_assert(8 * __builtin_offsetof(ctn_t{id}, {name}) == {offset}, \"t{id}.{name}\");"
                ),
                Some(width) => writeln!(run, "CTN_BITS(ctn_t{id}, {name}, {offset}, {width})"),
            }
            .unwrap();
        }
    }
    writeln!(
        text,
        "#define CTN_BITS(T, f, offset, width) {{ static T x; x.f = -1; \
         for (unsigned i = 0; i < 8 * sizeof x; i++) {{ \
         int set = ((unsigned char *)&x)[i / 8] >> i % 8 & 1, want = i >= offset && i < offset + width; \
         if (set != want) __builtin_trap(); }} }}\n\
         __attribute__((constructor)) static void ctn_check(void) {{\n{run}}}"
    )
    .unwrap();
    text
}

/// With `run`, for units without a `main`: symbols that the unit leaves undefined are never used.
fn check(program: &Program, run: bool) {
    let dir = tempfile::tempdir().unwrap();
    for unit in &program.files {
        let source = dir.path().join("check.c");
        let binary = dir.path().join("check");
        let mut text = checks(unit);
        if run {
            text.push_str("int main(void) { return 0; }\n");
        }
        std::fs::write(&source, text).unwrap();
        let how: &[&str] =
            if run { &["-static", "-Wl,--unresolved-symbols=ignore-all"] } else { &["-fsyntax-only"] };
        let output = Command::new("clang-19")
            .args(&unit.flags)
            .args(["-w", "-ferror-limit=5", "-o"])
            .args([&binary, &source])
            .args(how)
            .current_dir(&unit.directory)
            .output()
            .unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {message}", unit.path.display());
        if run {
            let status = Command::new(&binary).status().unwrap();
            assert!(status.success(), "{}: {status}", unit.path.display());
        }
    }
}

#[test]
fn the_compiler_agrees() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c");
    let flags = ["-std=gnu17", "-fms-extensions", "-DQUOTED=\"q\""].map(String::from).to_vec();
    let program = Program::load(&Source::Directory { path: directory, flags }, &Options::default()).unwrap();
    assert!(program.problems.is_empty(), "{:?}", program.problems);
    check(&program, true);
}

#[test]
fn the_compiler_agrees_on_a_project_of_yours() {
    if let Some(path) = std::env::var_os("LAYOUT_OF") {
        let program = Program::load(&Source::Find(path.into()), &Options::default()).unwrap();
        check(&program, false);
    }
}
