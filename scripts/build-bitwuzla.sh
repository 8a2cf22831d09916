#!/bin/sh
# Builds Bitwuzla 0.9.1 (the default SMT solver) as static libraries, from the package registries alone:
# its source from the Python index, CaDiCaL from the crate that carries it, SymFPU, GMP and MPFR from
# Debian. Safe to run again: a finished build is left alone, an interrupted one is taken up.
#
#   scripts/build-bitwuzla.sh              into <repository>/.deps/bitwuzla
#   BITWUZLA_PREFIX=/opt/bzla scripts/build-bitwuzla.sh
#
# Needs: g++ pkg-config meson ninja-build libsymfpu-dev libgmp-dev libmpfr-dev python3-pip cargo
set -eu

VERSION=0.9.1
SOURCE_SHA256=2dbb333262e0a8a0438f683748f8acc4079950351dfd26def25dc3b14df37aa1
CADICAL_VERSION=2.1.2
CADICAL_CRATE=0.4.1
CADICAL_CRATE_SHA256=25b9536891db68b4ed55bd5505b4288e2047015f20d1b40cc3017e3d11cb7a45
RECIPE=1 # raise it when this script must build again what an older one built

root=$(cd "$(dirname "$0")/.." && pwd)
prefix=${BITWUZLA_PREFIX:-$root/.deps/bitwuzla}
work=$prefix.build
stamp=$prefix/concertino-stamp
wanted="bitwuzla $VERSION cadical $CADICAL_VERSION recipe $RECIPE"
jobs=${BITWUZLA_JOBS:-2}

say() { echo "build-bitwuzla: $*"; }
die() { echo "build-bitwuzla: $*" >&2; exit 1; }

if [ "$(cat "$stamp" 2>/dev/null || true)" = "$wanted" ]; then
    say "$prefix is up to date"
    exit 0
fi

for tool in g++ pkg-config meson ninja cargo flock timeout; do
    command -v "$tool" >/dev/null || die "'$tool' is missing; see the packages at the head of $0"
done
[ -e /usr/include/symfpu/core/packing.h ] || die "SymFPU's headers are missing: install libsymfpu-dev"
for package in gmp mpfr; do
    pkg-config --exists "$package" || die "$package is missing: install lib$package-dev"
done
# The interpreter that has pip knows which index to ask; a version manager's python may lack it.
python=
for candidate in python3 /usr/bin/python3; do
    if "$candidate" -c 'import pip' 2>/dev/null; then python=$candidate; break; fi
done
[ -n "$python" ] || die "pip is missing: install python3-pip"

mkdir -p "$work"
exec 9>"$work/lock"
flock 9
if [ "$(cat "$stamp" 2>/dev/null || true)" = "$wanted" ]; then
    say "$prefix was built meanwhile"
    exit 0
fi

fetch_source() {
    # `pip download` would run the package's build to learn its metadata; take the file itself.
    timeout 600 "$python" - "$VERSION" "$work/source.tar.gz" <<'PYTHON'
import html.parser, os, subprocess, sys, urllib.parse, urllib.request
from pip._internal.models.index import PyPI

version, target = sys.argv[1:]
index = os.environ.get("PIP_INDEX_URL")
if not index:
    asked = subprocess.run([sys.executable, "-m", "pip", "config", "get", "global.index-url"],
                           capture_output=True, text=True)
    index = asked.stdout.strip() or PyPI.simple_url
page = index.rstrip("/") + "/bitwuzla/"
request = urllib.request.Request(page, headers={"Accept": "text/html"})
with urllib.request.urlopen(request, timeout=60) as reply:
    text = reply.read().decode()

class Links(html.parser.HTMLParser):
    found = None
    def handle_starttag(self, tag, attributes):
        link = dict(attributes).get("href") or ""
        path = urllib.parse.urlsplit(link).path
        if tag == "a" and path.rsplit("/", 1)[-1] == f"bitwuzla-{version}.tar.gz":
            self.found = urllib.parse.urljoin(page, link)

links = Links()
links.feed(text)
if not links.found:
    sys.exit(f"the Python index has no source package bitwuzla {version}")
with urllib.request.urlopen(links.found, timeout=120) as reply, open(target + ".part", "wb") as out:
    out.write(reply.read())
os.replace(target + ".part", target)
PYTHON
}

check_source() { echo "$SOURCE_SHA256  $work/source.tar.gz" | sha256sum --check --status 2>/dev/null; }

if ! check_source; then
    say "fetching the source of Bitwuzla $VERSION"
    fetch_source || die "could not fetch bitwuzla $VERSION from the Python index"
    check_source || die "the source of Bitwuzla does not have the expected SHA-256"
fi

crate=$work/vendor/cadical-sys
if ! grep -q "\"package\":\"$CADICAL_CRATE_SHA256\"" "$crate/.cargo-checksum.json" 2>/dev/null; then
    say "fetching CaDiCaL $CADICAL_VERSION"
    rm -rf "$work/vendor" "$work/manifest"
    mkdir -p "$work/manifest"
    : >"$work/manifest/lib.rs"
    cat >"$work/manifest/Cargo.toml" <<MANIFEST
[package]
name = "fetch-cadical"
version = "0.0.0"
edition = "2021"
[lib]
path = "lib.rs"
[dependencies]
cadical-sys = "=$CADICAL_CRATE"
[workspace]
MANIFEST
    (cd "$work/manifest" && timeout 600 cargo vendor --quiet "$work/vendor" >/dev/null) ||
        die "could not fetch crate cadical-sys $CADICAL_CRATE"
    grep -q "\"package\":\"$CADICAL_CRATE_SHA256\"" "$crate/.cargo-checksum.json" ||
        die "crate cadical-sys does not have the expected SHA-256"
fi
[ "$(cat "$crate/cadical/VERSION")" = "$CADICAL_VERSION" ] || die "the crate carries another CaDiCaL"

source=$work/bitwuzla-$VERSION
if [ ! -e "$source/.prepared" ]; then
    rm -rf "$source"
    tar -xzf "$work/source.tar.gz" -C "$work"
    # Debian 12 has GMP 6.2 and MPFR 4.2.0, which serve as well; the newer minimums are for wheels.
    sed -i -e "s/'>=6\.3'/'>=6.2'/" -e "s/'>=4\.2\.1'/'>=4.2'/" "$source/src/meson.build"
    projects=$source/subprojects
    # Meson applies these overlays only to what it downloaded itself.
    mkdir "$projects/symfpu"
    cp -r "$crate/cadical" "$projects/cadical-rel-$CADICAL_VERSION"
    cp -r "$projects/packagefiles/cadical/." "$projects/cadical-rel-$CADICAL_VERSION"
    cp -r /usr/include/symfpu/core /usr/include/symfpu/utils "$projects/symfpu"
    cp -r "$projects/packagefiles/symfpu/." "$projects/symfpu"
    : >"$source/.prepared"
fi

say "building (about four minutes of CPU time)"
if [ ! -e "$source/build/build.ninja" ]; then
    rm -rf "$source/build"
    timeout 300 meson setup "$source/build" "$source" --wrap-mode=nodownload --prefix="$prefix" --libdir=lib \
        --default-library=static --buildtype=release -Dtesting=disabled -Dunit_testing=disabled \
        >"$work/setup.log" 2>&1 || { tail -20 "$work/setup.log" >&2; die "meson failed; see $work/setup.log"; }
fi
timeout 3600 nice ninja -C "$source/build" -j"$jobs" >"$work/build.log" 2>&1 ||
    { tail -20 "$work/build.log" >&2; die "the build failed; see $work/build.log"; }

mkdir -p "$prefix/lib"
timeout 300 meson install -C "$source/build" --no-rebuild >"$work/install.log" 2>&1 ||
    { tail -20 "$work/install.log" >&2; die "the installation failed; see $work/install.log"; }
[ -e "$prefix/include/bitwuzla/c/bitwuzla.h" ] || die "no header was installed"
cp "$source/COPYING" "$prefix/COPYING"
cp "$crate/cadical/LICENSE" "$prefix/COPYING.cadical"
echo "$wanted" >"$stamp"
rm -rf "$work"
say "installed $prefix"
