#!/usr/bin/env python3
"""Exports the tests of a real program in every framework, and builds and runs them with gcc and clang.

    bench/exports.py [--seconds 1] [--jobs 2] [--file FILE] [--tested DIR] [--out bench/results/NAME.md] SUBJECT

A row per framework and compiler: the cases, those that pass, and the seconds of building and running them. Unity has no
package; the copy in cjson's sources is taken. The tests are made in a copy of the subject, under target/bench; with
`--tested DIR` they are those of a project that was tested already, such as one of bench/tasks.py's. What was left out of
the export is counted by its reason.
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
SANITIZERS = "-g -fsanitize=address,undefined"
GCC, CLANG = ["CC=gcc", "CXX=g++"], ["CC=clang-19", "CXX=clang++-19"]
OPTIMISED = ["CFLAGS=-O2", "CXXFLAGS=-O2"]
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
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)


def build_and_run(directory, settings):
    run(["make", "-C", directory, "clean"])
    begin = time.monotonic()
    made = run(["make", "-C", directory, "-k", "check", *settings])
    failed = sorted(set(re.findall(r"^case (\w+) fails", made.stdout + made.stderr, re.MULTILINE)))
    return {
        "passes": made.returncode == 0,
        "failed": failed,
        "seconds": round(time.monotonic() - begin, 1),
        "said": "" if made.returncode == 0 else (made.stdout + made.stderr)[-600:],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("subject")
    parser.add_argument("--seconds", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--file", help="only functions of this file")
    parser.add_argument("--concertino", type=pathlib.Path, default=ROOT / "target" / "release" / "concertino")
    parser.add_argument("--tested", type=pathlib.Path, help="a project with results; nothing is tested")
    parser.add_argument("--out", type=pathlib.Path)
    arguments = parser.parse_args()
    tree = arguments.tested or copy_of(arguments.subject)
    only = ["--file", arguments.file] if arguments.file else []
    if not arguments.tested:
        tested = run([arguments.concertino, "test", "--no-contexts", "--jobs", arguments.jobs, "--time-per-function",
                      arguments.seconds, "--progress", "none", *only], cwd=tree)
        if tested.returncode not in (0, 1):
            sys.exit(tested.stderr)
    rows, left_out = [], []
    for framework in FRAMEWORKS:
        directory = (tree / "exported" / framework).absolute()
        exported = run([arguments.concertino, "export", "--framework", framework, "--output", directory, *only],
                       cwd=tree)
        if exported.returncode != 0:
            sys.exit(exported.stderr)
        left_out = re.findall(r"^  \S+: (.*)$", exported.stdout, re.MULTILINE)
        cases = sum(len(re.findall(r"^void \w+\(void\)$", file.read_text(), re.MULTILINE))
                    for file in directory.glob("*_cases.c"))
        unity = [f"UNITY={fetched('cjson') / 'tests' / 'unity' / 'src'}"] if framework == "unity" else []
        for compiler, settings in BUILDS:
            print(f"{framework}, {compiler} ...", file=sys.stderr, flush=True)
            row = build_and_run(directory, settings + unity)
            rows.append({"framework": framework, "compiler": compiler, "cases": cases, **row})
    lines = [
        f"# Exported tests of {arguments.subject}",
        "",
        f"- date: {datetime.date.today().isoformat()}",
        f"- command: `bench/exports.py --seconds {arguments.seconds} {' '.join(only + [arguments.subject])}`",
        "",
        "| framework | compiler | cases | all pass | failed | seconds |",
        "|---|---|---:|---|---:|---:|",
    ]
    lines += [
        f'| {row["framework"]} | {row["compiler"]} | {row["cases"]} | {"yes" if row["passes"] else "no"} '
        f'| {len(row["failed"])} | {row["seconds"]} |'
        for row in rows
    ]
    if left_out:
        lines += ["", "| why a case was left out (of those that the command lists) | cases |", "|---|---:|"]
        # Places and numbers differ where the reason is the same.
        counted = collections.Counter(re.sub(r"/\S*:\d+|\d+", "N", reason) for reason in left_out)
        lines += [f"| {reason} | {count} |" for reason, count in counted.most_common()]
    for row in rows:
        if not row["passes"]:
            lines += ["", f'## {row["framework"]}, {row["compiler"]}', "", ", ".join(row["failed"]), "", "```",
                      row["said"], "```"]
    print("\n".join(lines))
    if arguments.out:
        arguments.out.write_text("\n".join(lines) + "\n")
        arguments.out.with_suffix(".json").write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
