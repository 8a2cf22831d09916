#!/usr/bin/env bash
# Fetches one of the real C programs that tests and benchmarks run on, by package name and version, and
# leaves a source tree with a compile_commands.json. Nothing fetched is ever part of this repository.
# The table is bench/subjects.tsv. Exit status: 0 ready, 2 wrong usage, 3 cannot be fetched (the package
# is gone or there is no network), 4 fetched but its compile database could not be made.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
table=$here/bench/subjects.tsv
cache=${CONCERTINO_SUBJECTS:-${XDG_CACHE_HOME:-$HOME/.cache}/concertino/subjects}
stamp=.subject           # written last: the tree is complete
unfinished=.subject-part # ours, but not complete: may be removed and made again

usage() {
    cat <<USAGE
usage: fetch-subject.sh NAME [DEST]   fetch NAME into DEST (default: $cache/NAME), print DEST
       fetch-subject.sh --list        the subjects in the table
CONCERTINO_SUBJECTS names another cache directory.
USAGE
}
say() { echo "fetch-subject: $*" >&2; }
give_up() { say "$2"; exit "$1"; }

# Sets kind, package, version, dir, recipe from the table's row for $1.
look_up() {
    local row
    row=$(awk -F'\t' -v name="$1" '!/^#/ && $1 == name' "$table")
    [ -n "$row" ] || give_up 2 "no subject named '$1' (see --list)"
    IFS=$'\t' read -r _ kind package version dir recipe <<<"$row"
}

# apt with a private source list (the system's own suites, as source), private index and cache: the
# system's configuration is read and never changed.
private_apt() {
    local apt=$cache/.apt
    local options=(-q -o Dir::Etc::sourcelist="$apt/suites.sources" -o Dir::Etc::sourceparts=-
        -o Dir::State::lists="$apt/lists" -o Dir::Cache="$apt/cache" -o APT::Sandbox::User=root)
    if [ ! -e "$apt/ready" ] || [ -n "$(find "$apt/ready" -mmin +1440)" ]; then
        rm -rf "$apt"
        mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
        own_suites >"$apt/suites.sources"
        [ -s "$apt/suites.sources" ] || give_up 3 "this system has no Debian-style package sources"
        apt-get "${options[@]}" update >&2 || give_up 3 "cannot read the package index"
        touch "$apt/ready"
    fi
    apt-get "${options[@]}" "$@"
}

# The entries of the system's own release, in the deb822 form, turned into source entries.
own_suites() {
    local code
    code=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
    cat /etc/apt/sources.list.d/*.sources 2>/dev/null | awk -v code="$code" '
        BEGIN { RS = ""; FS = "\n" }
        {
            own = 0
            for (i = 1; i <= NF; i++) if ($i ~ "^Suites:[ \t]*" code) own = 1
            if (!own) next
            for (i = 1; i <= NF; i++) {
                if ($i ~ /^Types:/) $i = "Types: deb-src"
                if ($i !~ /^#/) print $i
            }
            print ""
        }'
    # One-line entries: deb [options] uri suite components...
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null | awk -v code="$code" '
        $1 == "deb" {
            at = 2; signed = ""
            if ($2 ~ /^\[/) {
                for (; at <= NF; at++) {
                    if (match($at, /signed-by=[^] ]+/)) signed = substr($at, RSTART + 10, RLENGTH - 10)
                    if ($at ~ /\]$/) { at++; break }
                }
            }
            if (index($(at + 1), code) != 1) next
            print "Types: deb-src"; print "URIs: " $at; print "Suites: " $(at + 1)
            parts = ""; for (i = at + 2; i <= NF; i++) parts = parts " " $i
            print "Components:" parts
            if (signed != "") print "Signed-By: " signed
            print ""
        }'
}

fetch_debian() { # $1: tree to make; patched unless the kind says otherwise
    local store=$cache/.download/$package-$version how=()
    mkdir -p "$store"
    if ! ls "$store"/*.dsc >/dev/null 2>&1; then
        (cd "$store" && private_apt source --download-only --only-source "$package=$version" >&2) ||
            give_up 3 "Debian source $package=$version cannot be fetched (versions are replaced over time)"
    fi
    [ "$kind" = debian ] || how=(--skip-patches)
    dpkg-source --no-copy "${how[@]}" -x "$store"/*.dsc "$1" >&2 || give_up 3 "cannot unpack $package=$version"
}

fetch_crate() {
    local work
    work=$(mktemp -d)
    mkdir "$work/src"
    : >"$work/src/lib.rs"
    printf '[package]\nname = "subject"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n%s = "=%s"\n' \
        "$package" "${version%%+*}" >"$work/Cargo.toml" # build metadata is part of the name, not of the request
    (cd "$work" && cargo vendor --versioned-dirs vendor >/dev/null 2>"$work/log") ||
        { cat "$work/log" >&2; rm -rf "$work"; give_up 3 "crate $package =$version cannot be fetched"; }
    mv "$work/vendor/$package-$version" "$1"
    rm -rf "$work"
}

fetch_pypi() { # the source archive; building its metadata is neither needed nor wanted
    local work
    work=$(mktemp -d)
    python3 "$here/scripts/fetch-sdist.py" "$package" "$version" "$work" >&2 ||
        { rm -rf "$work"; give_up 3 "PyPI source $package==$version cannot be fetched"; }
    unpack_single "$work" "$1"
}

fetch_npm() {
    local work
    work=$(mktemp -d)
    (cd "$work" && npm pack --silent "$package@$version" >/dev/null) ||
        { rm -rf "$work"; give_up 3 "npm $package@$version cannot be fetched"; }
    unpack_single "$work" "$1"
}

# $1: directory with one archive that holds one directory; $2: where that directory goes.
unpack_single() {
    mkdir "$1/tree"
    case $(ls "$1"/*.*) in
    *.zip) (cd "$1/tree" && unzip -q ../*.zip) ;;
    *) tar -C "$1/tree" --no-same-owner -xf "$1"/*.t*z* ;;
    esac
    mv "$1"/tree/* "$2"
    rm -rf "$1"
}

# The compile database. Recipes: `cmake FLAGS`, `configure TARGETS`, `make COMMAND` (the build watched
# by bear), `files FLAGS -- GLOBS` (no build at all).
# Run inside the subject's directory; the database is left at the root of the tree.
make_database() { # $1: root of the tree
    local verb=${recipe%% *} rest=
    [ "$verb" = "$recipe" ] || rest=" ${recipe#* }"
    cd "$1/$dir"
    case $verb in
    cmake)
        # shellcheck disable=SC2086  # flags are words
        cmake -S . -B ctn-build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DCMAKE_BUILD_TYPE=Debug $rest >&2
        cmake --build ctn-build >&2 # some projects make headers in their build
        cp ctn-build/compile_commands.json "$1/compile_commands.json"
        ;;
    configure)
        # Patches and unpacking leave generated files older than their sources: no need for the generators.
        for generated in aclocal.m4 configure config.h.in config.hin config_h.in Makefile.in; do
            find . -name "$generated" -exec touch {} +
        done
        ./configure -q >&2
        # Without manuals: what makes them may be missing, and some programs make them before the program.
        # shellcheck disable=SC2086  # targets are words
        bear --output "$1/compile_commands.json" -- make -s MAKEINFO=true $rest >&2
        ;;
    make) bear --output "$1/compile_commands.json" -- sh -ec "$rest" >&2 ;;
    files) list_files "${rest%% -- *}" "${rest#* -- }" >"$1/compile_commands.json" ;;
    *) return 1 ;;
    esac
    grep -q '"file"' "$1/compile_commands.json"
}

list_files() { # $1: flags, $2: globs, of which those that begin with ! take files away
    local flag file glob args= comma= chosen=()
    for flag in $1; do args+="\"${flag//\"/\\\"}\", "; done
    set -f; local globs=($2); set +f
    for glob in "${globs[@]}"; do
        [[ $glob == !* ]] && continue
        # shellcheck disable=SC2206  # globs are expanded here
        chosen+=($glob)
    done
    echo "["
    for file in "${chosen[@]}"; do
        for glob in "${globs[@]}"; do
            # shellcheck disable=SC2053  # the right side is a pattern
            [[ $glob == !* && $file == ${glob#!} ]] && continue 2
        done
        printf '%s{"directory": "%s", "file": "%s", "arguments": ["cc", %s"-c", "%s"]}' \
            "$comma" "$PWD" "$PWD/$file" "$args" "$file"
        comma=$',\n'
    done
    printf '\n]\n'
}

case ${1:-} in
--list)
    awk -F'\t' '!/^#/ && NF >= 6 { printf "%-22s %-16s %s %s\n", $1, $2, $3, $4 }' "$table"
    exit 0
    ;;
-h | --help) usage; exit 0 ;;
'' | -*) usage >&2; exit 2 ;;
esac

look_up "$1"
dest=${2:-$cache/$1}
mkdir -p "$cache" "$(dirname "$dest")"
dest=$(cd "$(dirname "$dest")" && pwd)/$(basename "$dest")
if [ -e "$dest/$stamp" ]; then
    echo "$dest"
    exit 0
fi
if [ -e "$dest" ]; then
    [ -e "$dest/$unfinished" ] || give_up 2 "$dest exists and was not made by this script"
    rm -rf "$dest"
fi
case $kind in
debian | debian-unpatched) fetch_debian "$dest" ;;
crate) fetch_crate "$dest" ;;
pypi) fetch_pypi "$dest" ;;
npm) fetch_npm "$dest" ;;
*) give_up 2 "subject '$1' has the unknown kind '$kind'" ;;
esac
touch "$dest/$unfinished"
(make_database "$dest") || give_up 4 "the recipe of '$1' failed in $dest/$dir: $recipe"
mv "$dest/$unfinished" "$dest/$stamp"
echo "$dest"
