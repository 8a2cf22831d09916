#!/bin/sh
# Makes a Debian 12 machine ready to build Concertino: system packages, a check of the Rust toolchain, and the
# SMT solver. Installs only what is missing; a second run does nothing and takes no time.
#
#   scripts/setup.sh           everything
#   scripts/setup.sh --check   say what is missing, install nothing
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
stamp=$root/.deps/setup-stamp

# The build itself; LLVM 19 for the instrumenter, for compiling tested code and for its sanitizers; what
# Bitwuzla is built from; a second solver, a C program generator and C test frameworks for the tests;
# what fetches and builds the real programs of the benchmarks.
packages="build-essential pkg-config curl ca-certificates python3 python3-pip
    llvm-19 llvm-19-dev llvm-19-tools clang-19 libclang-19-dev libclang-rt-19-dev libpolly-19-dev lld-19
    libzstd-dev zlib1g-dev meson ninja-build libsymfpu-dev libgmp-dev libmpfr-dev
    libz3-dev csmith libcsmith-dev libcmocka-dev check cpputest libgtest-dev
    cmake bear dpkg-dev"
# As in Cargo.toml (rust-version).
rust_major=1
rust_minor=88

say() { echo "setup: $*"; }
die() { echo "setup: $*" >&2; exit 1; }

# What the stamp stands for: this script, the solver's script, and the solver being there.
wanted=$(cat "$0" "$root/scripts/build-bitwuzla.sh" | sha256sum | cut -d' ' -f1)
if [ "${1:-}" != --check ] && [ "$(cat "$stamp" 2>/dev/null || true)" = "$wanted" ] &&
    [ -e "${BITWUZLA_PREFIX:-$root/.deps/bitwuzla}/concertino-stamp" ]; then
    exit 0
fi

check_rust() {
    command -v cargo >/dev/null && command -v rustc >/dev/null || die "Rust is missing (cargo, rustc).
  Install version $rust_major.$rust_minor or newer with rustup (https://rustup.rs), then run this again:
    curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh"
    version=$(rustc --version | cut -d' ' -f2)
    major=${version%%.*}
    rest=${version#*.}
    minor=${rest%%.*}
    if [ "$major" -lt "$rust_major" ] || { [ "$major" -eq "$rust_major" ] && [ "$minor" -lt "$rust_minor" ]; }; then
        die "Rust $version is too old; $rust_major.$rust_minor or newer is needed: rustup update stable"
    fi
}

missing_packages() {
    for package in $packages; do
        state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
        [ "$state" = installed ] || printf '%s ' "$package"
    done
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "system packages must be installed as root, and there is no sudo; as root, run:
    apt-get install --no-install-recommends $missing"
    fi
}

command -v dpkg-query >/dev/null || die "this script knows Debian and its relatives only (no dpkg here).
  Install the equivalents of: $packages
  then run scripts/build-bitwuzla.sh"

missing=$(missing_packages)
if [ "${1:-}" = --check ]; then
    check_rust
    [ -z "$missing" ] || die "missing packages: $missing"
    say "packages and Rust are there"
    exit 0
fi
if [ -n "$missing" ]; then
    say "installing $missing"
    as_root apt-get update -q || die "apt-get update failed: is there a network, and a package source?"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing ||
        die "apt-get could not install: $missing
  LLVM 19 is in Debian 12 and newer and in Ubuntu 24.04 and newer."
fi
check_rust
"$root/scripts/build-bitwuzla.sh"
mkdir -p "$root/.deps"
echo "$wanted" >"$stamp"
say "ready"
