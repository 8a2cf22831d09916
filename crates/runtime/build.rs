//! Embeds every C file below `c/` so that the product is one binary: writes a table of (path, text).

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() -> std::io::Result<()> {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("c");
    println!("cargo::rerun-if-changed=c");
    let mut files = Vec::new();
    collect(&root, "", &mut files)?;
    files.sort();
    let mut table = String::from("pub(crate) static FILES: &[(&str, &str)] = &[\n");
    for (name, path) in &files {
        let _ = writeln!(table, "    ({name:?}, include_str!({:?})),", path.display().to_string());
    }
    table.push_str("];\n");
    let models = files.iter().filter(|(name, _)| name.starts_with("models/") && name.ends_with(".c"));
    table.push_str("pub(crate) static MODELS: &[&str] = &[\n");
    for (name, _) in models {
        let _ = writeln!(table, "    {name:?},");
    }
    table.push_str("];\n");
    let explore = files.iter().filter(|(name, _)| is_explore(name));
    table.push_str("pub(crate) static EXPLORE: &[&str] = &[\n");
    for (name, _) in explore {
        let _ = writeln!(table, "    {name:?},");
    }
    table.push_str("];\n");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default()).join("files.rs");
    std::fs::write(out, table)
}

/// Everything at the top is linked into exploring images, but for the files with a use of their own.
fn is_explore(name: &str) -> bool {
    name.ends_with(".c") && !name.contains('/') && name != "inline.c" && !name.starts_with("replay")
}

fn collect(directory: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        let name = format!("{prefix}{name}");
        if path.is_dir() {
            println!("cargo::rerun-if-changed=c/{name}");
            collect(&path, &format!("{name}/"), files)?;
        } else if [".c", ".h", ".list"].iter().any(|ending| name.ends_with(ending)) {
            files.push((name, path));
        }
    }
    Ok(())
}
