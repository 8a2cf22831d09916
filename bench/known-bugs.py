#!/usr/bin/env python3
"""Runs concertino on versions of real programs with known crash bugs, and scores what it finds.

    bench/known-bugs.py [--seconds 120] [--jobs 2] [--variant NAME]... [--whole-files] [K1 K15 ...]

The bugs are in known-bugs.tsv; subjects are fetched by scripts/fetch-subject.sh and tested in a copy. By default only
the function that holds the bug is tested; with --whole-files every function of the files with a bug, which gives the
number of other alarms per true one. Per bug: found at all, its level after the calling contexts, other alarms in the
same file, time. Results go to bench/results/known-bugs-DATE.md and .json.

Variants are ways to choose units and filters, for a table like those of the papers: conbrio (the default), concert,
sut, distance-3, distance-6, conbol, all, and conbrio with one thing off: no-contexts, no-sizes, no-constants,
no-indexes.
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BINARY = pathlib.Path(os.environ.get("CONCERTINO", ROOT / "target" / "release" / "concertino"))
# Line numbers of a sanitizer and of a bug report differ within one statement.
NEAR = 3
VARIANTS = {
    "conbrio": [],
    "concert": ["--unit", "concert"],
    "sut": ["--unit", "sut", "--no-contexts", "--no-assume", "sizes", "--no-assume", "constants", "--no-assume", "indexes"],
    "distance-3": ["--unit", "distance:3", "--no-contexts"],
    "distance-6": ["--unit", "distance:6", "--no-contexts"],
    "conbol": ["--unit", "sut", "--no-contexts"],
    "all": ["--unit", "all"],
    "no-contexts": ["--no-contexts"],
    "no-sizes": ["--no-assume", "sizes"],
    "no-constants": ["--no-assume", "constants"],
    "no-indexes": ["--no-assume", "indexes"],
}
# CONBOL reports alarms from this score on.
LEAST_SCORE = {"conbol": 6.0}


def bugs():
    for line in (ROOT / "bench" / "known-bugs.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            name, subject, file, number, classes, unit, fixed, public = line.split("\t")
            yield {
                "id": name, "subject": subject, "file": file, "line": int(number),
                "classes": classes.split(","), "unit": unit, "fixed": fixed, "public": public,
            }


def fetch(subject):
    done = subprocess.run([ROOT / "scripts" / "fetch-subject.sh", subject], capture_output=True, text=True)
    return pathlib.Path(done.stdout.strip()) if done.returncode == 0 else None


def copy(tree, work):
    """A copy whose compile database names the copy."""
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(tree, work, symlinks=True, ignore=shutil.ignore_patterns(".concertino"))
    database = work / "compile_commands.json"
    database.write_text(database.read_text().replace(str(tree), str(work)))
    return work


def test(work, seconds, jobs, flags, selection):
    begin = time.monotonic()
    command = [BINARY, "test", "--jobs", str(jobs), "--time-per-function", str(seconds), "--progress", "none", "--json"]
    done = subprocess.run(command + flags + selection, cwd=work, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    try:
        report = json.loads(done.stdout)
    except json.JSONDecodeError:
        report = None
        print(f"  no report: {done.stderr.strip()[-300:]}", file=sys.stderr)
    return report, time.monotonic() - begin


def holder(source, line):
    """The name of the function around a line: the last definition before it that starts a line."""
    name = None
    for number, text in enumerate(source.read_text(errors="replace").splitlines(), 1):
        if number > line:
            break
        if text and not text[0].isspace() and text[0] not in "#}/*{":
            match = re.search(r"(\w+)\s*\(", text)
            if match and not text.rstrip().endswith(";"):
                name = match.group(1)
    return name


def score(bug, report, least, function, is_fixed):
    """In a fixed version lines are others: there the class in the same function counts."""
    reported = lambda alarm: alarm["level"] != "dropped" and alarm["score"] >= least
    here = [a for a in report["alarms"] if pathlib.Path(a["file"]).name == bug["file"]]
    at = (lambda a: a["function"] == function) if is_fixed else (lambda a: abs(a["line"] - bug["line"]) <= NEAR)
    hits = [a for a in here if a["class"] in bug["classes"] and at(a)]
    best = min(hits, key=lambda a: ["confirmed", "feasible", "unit", "dropped"].index(a["level"]), default=None)
    return {
        "found": bool(hits),
        "level": best["level"] if best else "-",
        "score": best["score"] if best else None,
        "reason": best["reason"] if best else "",
        "reported": any(reported(a) for a in hits),
        "others": sum(1 for a in here if a not in hits and reported(a)),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ids", nargs="*", metavar="ID")
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--variant", action="append", choices=sorted(VARIANTS), default=[])
    parser.add_argument("--whole-files", action="store_true")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "target" / "known-bugs")
    parser.add_argument("--out", type=pathlib.Path)
    arguments = parser.parse_args()
    chosen = [bug for bug in bugs() if not arguments.ids or bug["id"] in arguments.ids]
    variants = arguments.variant or ["conbrio"]
    rows = []
    for variant in variants:
        for subject in sorted({bug["subject"] for bug in chosen} | {b["fixed"] for b in chosen if b["fixed"] != "-"}):
            here = [b for b in chosen if subject in (b["subject"], b["fixed"])]
            tree = fetch(subject)
            if tree is None:
                rows += [{"variant": variant, "id": b["id"], "subject": subject, "missing": True} for b in here]
                continue
            work = copy(tree, arguments.work / variant / subject)
            for bug in here:
                source = next(iter(work.rglob(bug["file"])), None)
                buggy = fetch(bug["subject"])
                original = buggy and next(iter(buggy.rglob(bug["file"])), None)
                name = original and holder(original, bug["line"])
                if source is None or name is None:
                    rows.append({"variant": variant, "id": bug["id"], "subject": subject, "missing": True})
                    continue
                relative = source.relative_to(work)
                selection = ["--file", str(relative)] if arguments.whole_files else ["--function", f"{relative}:{name}"]
                report, seconds = test(work, arguments.seconds, arguments.jobs, VARIANTS[variant], selection)
                row = {"variant": variant, "id": bug["id"], "subject": subject, "function": name, "seconds": round(seconds, 1),
                       "is_fixed": subject == bug["fixed"], "unit": bug["unit"]}
                if report is not None:
                    row |= score(bug, report, LEAST_SCORE.get(variant, 0.0), name, subject == bug["fixed"])
                rows.append(row)
                print(json.dumps(row), flush=True)
    write(rows, arguments)


def write(rows, arguments):
    day = datetime.date.today().isoformat()
    out = arguments.out or ROOT / "bench" / "results" / f"known-bugs-{day}"
    out.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"# Known crash bugs, {day}", "", f"{platform.platform()}, {os.cpu_count()} processors, "
             f"{arguments.seconds} s per function, {'whole files' if arguments.whole_files else 'the buggy functions only'}.", ""]
    for variant in dict.fromkeys(row["variant"] for row in rows):
        mine = [row for row in rows if row["variant"] == variant]
        buggy = [row for row in mine if not row.get("is_fixed") and "found" in row]
        unit = [row for row in buggy if row["unit"] == "yes"]
        found, kept = sum(r["found"] for r in unit), sum(r["reported"] for r in unit)
        true = sum(row["reported"] for row in buggy)
        others = {(row["subject"], row["others"]) for row in buggy}
        lines += [f"## {variant}", "",
                  f"Of {len(unit)} bugs that are in one function {found} were found and {kept} reported; of all {len(buggy)}, {true} "
                  f"were reported, beside {sum(count for _, count in others)} other alarms.", "",
                  "| bug | version | function | found | level | score | others | seconds |", "|---|---|---|---|---|---|---|---|"]
        for row in mine:
            if "found" not in row:
                lines.append(f"| {row['id']} | {row['subject']} | {row.get('function', '')} | not run | | | | {row.get('seconds', '')} |")
                continue
            version = f"{row['subject']} (fixed)" if row.get("is_fixed") else row["subject"]
            lines.append(f"| {row['id']} | {version} | {row['function']} | {'yes' if row['found'] else 'no'} | {row['level']} | "
                         f"{row['score'] if row['score'] is not None else ''} | {row['others']} | {row['seconds']} |")
        lines.append("")
    out.with_suffix(".md").write_text("\n".join(lines))
    out.with_suffix(".json").write_text(json.dumps(rows, indent=1))
    print(f"wrote {out}.md")


if __name__ == "__main__":
    main()
