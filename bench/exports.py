#!/usr/bin/env python3
"""Exports the tests of real programs in every framework, and builds and runs them with gcc and clang.

    bench/exports.py [--seconds 1] [--jobs 2] [--file FILE] [--out bench/results/NAME.md] SUBJECT[=DIR]...

A row per subject, framework and build: the cases, those that fail, and the seconds of building and running them. The
tests of a SUBJECT are made in a copy of it, under target/bench; with `=DIR` they are those of a project that was tested
already, such as one of bench/tasks.py's. Files of cases are the same in every framework, so they are compiled once per
build. Unity has no package; the copy in cjson's sources is taken. What was left out of the export is counted by its
reason.
"""

import argparse
import collections
import datetime
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FRAMEWORKS = ["plain", "unity", "cmocka", "check", "cpputest", "googletest"]
SANITIZERS = "-g -fsanitize=address,undefined -fno-sanitize-recover=all"
GCC, CLANG = ["CC=gcc", "CXX=g++"], ["CC=clang-19", "CXX=clang++-19"]
# Adapters hold no tested code; those in C++ take long enough without being optimised.
OPTIMISED = ["CFLAGS=-O2", "CXXFLAGS=-O0"]
SANITIZED = [f"CFLAGS={SANITIZERS}", f"CXXFLAGS={SANITIZERS}", f"LDFLAGS={SANITIZERS}"]
BUILDS = [
    ("gcc -O2", GCC + OPTIMISED),
    ("clang -O2", CLANG + OPTIMISED),
    ("gcc, sanitizers", GCC + SANITIZED),
    ("clang, sanitizers", CLANG + SANITIZED),
]


def fetched(name):
    script = ROOT / "scripts" / "fetch-subject.sh"
    return pathlib.Path(subprocess.run([script, name], check=True, capture_output=True, text=True).stdout.strip())


def copy_of(name):
    """A copy of the subject, so that nothing is written into the cache that others read."""
    tree = fetched(name)
    copy = ROOT / "target" / "bench" / "exports" / name
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(tree, copy, symlinks=True, ignore=shutil.ignore_patterns(".concertino"))
    for database in copy.rglob("compile_commands.json"):
        database.write_text(database.read_text().replace(str(tree), str(copy)))
    return copy


def run(command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, errors="replace", **options)


def tested(subject, arguments, only):
    """The directory of a project with results."""
    name, _, place = subject.partition("=")
    if place:
        return name, pathlib.Path(place).absolute()
    tree = copy_of(name)
    done = run([arguments.concertino, "test", "--no-contexts", "--jobs", arguments.jobs, "--time-per-function",
                arguments.seconds, "--progress", "none", *only], cwd=tree)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    return name, tree


def take_objects(source, target):
    """Objects of files that are the same in both directories need not be compiled again."""
    for file in [*source.glob("*_cases.c"), source / "cases.c"]:
        built, twin = file.with_suffix(".o"), target / file.name
        if built.exists() and twin.exists() and twin.read_bytes() == file.read_bytes():
            shutil.copy(built, target / built.name)


def build_and_run(directory, objects, settings, jobs):
    run(["make", "-C", directory, "clean"])
    take_objects(objects, directory)
    begin = time.monotonic()
    made = run(["make", "-C", directory, "-k", "-j", jobs, "check", *settings])
    objects.mkdir(exist_ok=True)
    for file in [*directory.glob("*_cases.[co]"), *directory.glob("cases.[co]")]:
        shutil.copy(file, objects)
    said = made.stdout + made.stderr
    return {
        "passes": made.returncode == 0,
        "failed": sorted(set(re.findall(r"^case (\w+) fails", said, re.MULTILINE))),
        "seconds": round(time.monotonic() - begin, 1),
        "said": "" if made.returncode == 0 else said[-2000:],
    }


def one_subject(name, tree, arguments, only, write):
    """Gives each row of the table, and with it the reasons for what was left out, counted."""
    place = tree / "exported"
    shutil.rmtree(place, ignore_errors=True)
    exported = run([arguments.concertino, "export", "--framework", ",".join(FRAMEWORKS), "--output", place,
                    "--progress", "none", *only], cwd=tree)
    if exported.returncode != 0:
        sys.exit(exported.stderr)
    first = place / FRAMEWORKS[0]
    reasons = re.findall(r"^\S+: (.*)$", (first / "left-out.txt").read_text(), re.MULTILINE)
    # Places, addresses and numbers differ where the reason is the same.
    plain = (re.sub(r"==\d+==|/\S*:\d+(:\d+)?:? ?", "", reason) for reason in reasons)
    left_out = collections.Counter(re.sub(r"0x[0-9a-f]+|\b\d+\b", "N", reason) for reason in plain)
    cases = sum(len(re.findall(r"^void \w+\(void\)$", file.read_text(), re.MULTILINE))
                for file in first.glob("*_cases.c"))
    for framework in FRAMEWORKS:
        for number, (build, settings) in enumerate(BUILDS):
            print(f"{name}, {framework}, {build} ...", file=sys.stderr, flush=True)
            unity = [f"UNITY={fetched('cjson') / 'tests' / 'unity' / 'src'}"] if framework == "unity" else []
            row = build_and_run(place / framework, place / f"objects-{number}", settings + unity, arguments.jobs)
            write({"subject": name, "framework": framework, "build": build, "cases": cases, **row}, left_out)


def table(arguments, rows, left_out):
    given = [f"{name}=..." if "=" in subject else subject
             for subject in arguments.subjects for name in [subject.partition("=")[0]]]
    only = f"--file {arguments.file} " if arguments.file else ""
    lines = [
        "# Exported tests",
        "",
        f"- date: {datetime.date.today().isoformat()}",
        f"- command: `bench/exports.py --seconds {arguments.seconds} {only}{' '.join(given)}`",
        "",
        "| subject | framework | build | cases | all pass | failed | seconds |",
        "|---|---|---|---:|---|---:|---:|",
    ]
    lines += [
        f'| {row["subject"]} | {row["framework"]} | {row["build"]} | {row["cases"]} '
        f'| {"yes" if row["passes"] else "no"} | {len(row["failed"])} | {row["seconds"]} |'
        for row in rows
    ]
    lines += ["", "| subject | why a test was left out | tests |", "|---|---|---:|"]
    lines += [f"| {name} | {reason} | {count} |"
              for name, counted in left_out.items() for reason, count in counted.most_common()]
    for row in rows:
        if not row["passes"]:
            lines += ["", f'## {row["subject"]}, {row["framework"]}, {row["build"]}', "",
                      ", ".join(row["failed"]), "", "```", row["said"], "```"]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("subjects", nargs="+", metavar="SUBJECT[=DIR]")
    parser.add_argument("--seconds", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--file", help="only functions of this file")
    parser.add_argument("--concertino", type=pathlib.Path, default=ROOT / "target" / "release" / "concertino")
    parser.add_argument("--out", type=pathlib.Path)
    arguments = parser.parse_args()
    only = ["--file", arguments.file] if arguments.file else []
    rows, left_out = [], {}

    def write(row, reasons):
        """After each row: what is stopped keeps what it has."""
        rows.append(row)
        left_out[row["subject"]] = reasons
        if arguments.out:
            arguments.out.write_text(table(arguments, rows, left_out) + "\n")
            written = {"rows": rows, "left_out": left_out}
            arguments.out.with_suffix(".json").write_text(json.dumps(written, indent=1) + "\n")

    for subject in arguments.subjects:
        name, tree = tested(subject, arguments, only)
        one_subject(name, tree, arguments, only, write)
    print(table(arguments, rows, left_out))


if __name__ == "__main__":
    main()
