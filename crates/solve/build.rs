//! Finds the solver's static libraries, which `scripts/build-bitwuzla.sh` builds.

use std::env;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-env-changed=BITWUZLA_PREFIX");
    let prefix = match env::var_os("BITWUZLA_PREFIX") {
        Some(prefix) => PathBuf::from(prefix),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.deps/bitwuzla"),
    };
    let library = prefix.join("lib/libbitwuzla.a");
    println!("cargo::rerun-if-changed={}", library.display());
    if !library.exists() {
        println!("cargo::error=Bitwuzla was not found at {}.", prefix.display());
        println!(
            "cargo::error=Run scripts/build-bitwuzla.sh, or set BITWUZLA_PREFIX to where it is installed."
        );
        return;
    }
    println!("cargo::rustc-link-search=native={}", prefix.join("lib").display());
    for library in ["bitwuzla", "bitwuzlals", "bitwuzlabv", "bitwuzlabb"] {
        println!("cargo::rustc-link-lib=static={library}");
    }
    for library in ["mpfr", "gmp", "stdc++"] {
        println!("cargo::rustc-link-lib=dylib={library}");
    }
    if env::var_os("CARGO_FEATURE_Z3").is_some() {
        println!("cargo::rustc-link-lib=dylib=z3");
    }
}
