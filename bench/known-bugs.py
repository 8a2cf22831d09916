#!/usr/bin/env python3
"""Runs concertino on versions of real programs with known crash bugs, and scores what it finds.

    bench/known-bugs.py [--table FILE] [--seconds 120] [--jobs 2] [--at-once 1] [--variant NAME]... [--whole-files] [--no-fixed] [--keep DIRECTORY] [K1 K15 ...]

The bugs are in known-bugs.tsv, or in the table named; subjects are fetched by scripts/fetch-subject.sh and tested in a copy. By default only
the function that holds the bug is tested; with --whole-files every function of the files with a bug, which gives the
number of other alarms per true one; --no-fixed leaves the mended versions out. Per bug: found at all, its level after the calling contexts, other alarms in the
same file, time. Results go to bench/results/TABLE-DATE.md and .json; --keep keeps concertino's reports too.

Variants are ways to choose units and filters, for a table like those of the papers: conbrio (the default), concert,
sut, distance-3, distance-6, conbol, all, and conbrio with one thing off: no-contexts, no-enums, no-sizes, no-constants,
no-ranges, no-indexes, no-functions, no-tags. What the scores take away needs no further run: alarms that are doubtful are
counted beside the others.
"""

import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import threading
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
    "no-enums": ["--no-assume", "enums"],
    "no-ranges": ["--no-assume", "ranges"],
    "no-functions": ["--no-assume", "functions"],
    "no-tags": ["--no-assume", "tags"],
}
# CONBOL reports alarms from this score on.
LEAST_SCORE = {"conbol": 6.0}


def bugs(table):
    for line in table.read_text().splitlines():
        if line and not line.startswith("#"):
            name, subject, file, number, classes, unit, fixed, public, *function = line.split("\t")
            yield {
                "id": name, "subject": subject, "file": file, "lines": [int(line) for line in number.split(",")],
                "classes": classes.split(","), "unit": unit, "fixed": fixed, "public": public, "function": "".join(function),
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


def speaker(alarm, alarms):
    """The alarm that is shown: of those with one cause, one speaks for the others and names their places."""
    return next((a for a in alarms if a["id"] == alarm.get("same_cause_as")), alarm)


def is_reported(alarm, least):
    return alarm["level"] != "dropped" and not alarm["doubtful"] and alarm["score"] >= least


def statements(source, lines, near):
    """What is written at and around these lines, braces and the like left out."""
    text = source.read_text(errors="replace").splitlines()
    near = [text[at - 1].strip() for line in lines for at in range(line - near, line + near + 1) if 0 < at <= len(text)]
    return {line for line in near if sum(letter.isalnum() for letter in line) > 2}


def frames(alarm, file):
    """The statements of a file that an alarm is at, or that called what it is at, each with how far from a bug it may stand: what
    is called beside a bug is something else."""
    stack = [(frame, 0) for frame in alarm["evidence"].get("stack") or []]
    return [(frame, near) for frame, near in [(alarm, NEAR), *stack] if frame["file"] == file]


def score(bug, alarms, file, least, function, buggy, fixed):
    """The class at the statement, or in what the statement calls. In a fixed version lines are others: there the same
    statement of the same function counts. `buggy` and `fixed` are the sources; the second one only where the fixed version is
    tested."""
    if fixed:
        text = fixed.read_text(errors="replace").splitlines()
        same = {near: statements(buggy, bug["lines"], near) for near in [0, NEAR]}
        at = lambda f, near: f["function"] == function and f["line"] <= len(text) and text[f["line"] - 1].strip() in same[near]
    else:
        at = lambda f, near: any(abs(f["line"] - line) <= near for line in bug["lines"])
    hits = [a for a in alarms if a["class"] in bug["classes"] and any(at(*frame) for frame in frames(a, file))]
    order = lambda a: (["confirmed", "feasible", "unit", "dropped"].index(a["level"]), -a["score"])
    best = min(hits, key=order, default=None)
    return hits, {
        "found": bool(hits),
        "level": best["level"] if best else "-",
        "score": best["score"] if best else None,
        "reason": best["reason"] if best else "",
        "reported": any(is_reported(a, least) and is_reported(speaker(a, alarms), least) for a in hits),
    }


def groups(chosen, whole_files, with_fixed):
    """What is tested in one go: a file with all its bugs, or the function of one."""
    found = {}
    for bug in chosen:
        for subject in [bug["subject"]] + ([bug["fixed"]] if with_fixed and bug["fixed"] != "-" else []):
            found.setdefault((subject, bug["file"] if whole_files else bug["id"]), []).append(bug)
    return found.items()


def run(variant, subject, bugs_here, arguments):
    """Tests one group and scores its bugs: a row for each."""
    row = lambda bug, **more: {"variant": variant, "id": bug["id"], "subject": subject, "unit": bug["unit"],
                               "is_fixed": subject == bug["fixed"], "file": bug["file"]} | more
    tree = fetch(subject)
    if tree is None:
        return [row(bug, missing="cannot be fetched") for bug in bugs_here]
    # One place for all variants: most of them share what is built.
    work = arguments.work / subject
    if not (work / "compile_commands.json").exists():
        copy(tree, work)
    # Builds of earlier tests serve again; what they found does not.
    for old in (work / ".concertino").glob("*"):
        if old.name != "build":
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    source = next((path for path in work.rglob(bugs_here[0]["file"]) if ".concertino" not in path.parts), None)
    if source is None:
        return [row(bug, missing="no such file") for bug in bugs_here]
    names, originals = {}, {}
    for bug in bugs_here:
        buggy = fetch(bug["subject"])
        original = buggy and next((p for p in buggy.rglob(bug["file"]) if ".concertino" not in p.parts), None)
        names[bug["id"]], originals[bug["id"]] = bug["function"] or original and holder(original, bug["lines"][0]), original
    relative = source.relative_to(work)
    function = names[bugs_here[0]["id"]]
    if function is None:
        return [row(bug, missing="no such function") for bug in bugs_here]
    selection = ["--file", str(relative)] if arguments.whole_files else ["--function", f"{relative}:{function}"]
    report, seconds = test(work, arguments.seconds, arguments.jobs, VARIANTS[variant], selection)
    if report is None:
        return [row(bug, function=names[bug["id"]], seconds=round(seconds, 1), missing="no report") for bug in bugs_here]
    if arguments.keep:
        arguments.keep.mkdir(parents=True, exist_ok=True)
        kept = arguments.keep / f"{variant}-{subject}-{bugs_here[0]['id']}.json"
        kept.write_text(json.dumps(report, indent=1))
    all_alarms = report["alarms"]
    if not arguments.whole_files:
        all_alarms = [a for a in all_alarms if a["unit"]["name"] == function or function in [u["name"] for u in a["also"]]]
    here = [a for a in all_alarms if a["file"] == str(relative)]
    least = LEAST_SCORE.get(variant, 0.0)
    rows, true = [], []
    for bug in bugs_here:
        hits, scored = score(bug, all_alarms, str(relative), least, names[bug["id"]], originals[bug["id"]], source if subject == bug["fixed"] else None)
        true += hits
        rows.append(row(bug, function=names[bug["id"]], seconds=round(seconds, 1), **scored))
    # What speaks for a true alarm is no other one; what another alarm speaks for is not shown by itself.
    true += [speaker(a, all_alarms) for a in true]
    others = [a for a in here if a not in true and not a.get("same_cause_as")]
    for each in rows:
        each["others"] = sum(1 for a in others if is_reported(a, least))
        each["doubtful"] = sum(1 for a in others if a["level"] != "dropped" and a["doubtful"])
        each["dropped"] = sum(1 for a in others if a["level"] == "dropped")
        each["exploring_ms"], each["filtering_ms"] = report["engine"].get("exploring_ms"), report["engine"].get("filtering_ms")
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ids", nargs="*", metavar="ID")
    parser.add_argument("--table", type=pathlib.Path, default=ROOT / "bench" / "known-bugs.tsv")
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--at-once", type=int, default=1, help="subjects that are tested at the same time")
    parser.add_argument("--variant", action="append", choices=sorted(VARIANTS), default=[])
    parser.add_argument("--whole-files", action="store_true")
    parser.add_argument("--no-fixed", action="store_true")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "target" / "known-bugs")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path)
    arguments = parser.parse_args()
    known = {bug["id"]: bug for bug in bugs(arguments.table)}
    wrong = [name for name in arguments.ids if name not in known]
    if wrong:
        parser.error(f"no such bug: {', '.join(wrong)}")
    chosen = [known[name] for name in arguments.ids] or list(known.values())
    rows, guard = [], threading.Lock()

    def all_of(subject):
        # All variants of one group in turns: what else the machine does meets them alike.
        for (here, _), bugs_here in groups(chosen, arguments.whole_files, not arguments.no_fixed):
            for variant in variants if here == subject else []:
                found = run(variant, subject, bugs_here, arguments)
                with guard:
                    rows.extend(found)
                    for each in found:
                        print(json.dumps(each), flush=True)
                    # What is there counts, also when the rest does not come.
                    rows.sort(key=lambda row: (variants.index(row["variant"]), order.index(row["id"]), row["is_fixed"]))
                    write(rows, arguments)

    variants, order = arguments.variant or ["conbrio"], list(known)
    subjects = dict.fromkeys(subject for (subject, _), _ in groups(chosen, arguments.whole_files, not arguments.no_fixed))
    with concurrent.futures.ThreadPoolExecutor(arguments.at_once) as pool:
        list(pool.map(all_of, subjects))


def per_variant(rows, whole_files):
    """One line per variant, as the papers have it."""
    lines = ["| variant | bugs | found | reported | other alarms | per true one | doubtful | dropped | filtering / exploring |",
             "|---|---|---|---|---|---|---|---|---|"]
    for variant in dict.fromkeys(row["variant"] for row in rows):
        buggy = [row for row in rows if row["variant"] == variant and not row["is_fixed"] and "found" in row]
        true = sum(row["reported"] for row in buggy)
        runs = {(row["subject"], row["file"] if whole_files else row["id"]): row for row in buggy}.values()
        others, doubtful, dropped = (sum(row[key] for row in runs) for key in ["others", "doubtful", "dropped"])
        ratio = f"{others / true:.1f}" if true else "-"
        exploring = sum(row["exploring_ms"] or 0 for row in runs)
        cost = f"{sum(row['filtering_ms'] or 0 for row in runs) / exploring:.2f}" if exploring else "-"
        lines.append(f"| {variant} | {len(buggy)} | {sum(row['found'] for row in buggy)} | {true} | {others} | {ratio} | "
                     f"{doubtful} | {dropped} | {cost} |")
    return lines


def write(rows, arguments):
    day = datetime.date.today().isoformat()
    table = arguments.table.stem
    out = arguments.out or ROOT / "bench" / "results" / f"{table}-{day}"
    out.parent.mkdir(parents=True, exist_ok=True)
    what = "whole files with a bug" if arguments.whole_files else "the buggy functions only"
    lines = [f"# {table.replace('-', ' ').capitalize()}, {day}", "",
             f"{platform.platform()}, {os.cpu_count()} processors, {arguments.jobs * arguments.at_once} at a time, {arguments.seconds} s per function "
             f"and as much again for its calling contexts, {what}. Reported: not dropped and not doubtful.", ""]
    lines += per_variant(rows, arguments.whole_files) + [""]
    for variant in dict.fromkeys(row["variant"] for row in rows):
        mine = [row for row in rows if row["variant"] == variant]
        unit = [row for row in mine if not row["is_fixed"] and "found" in row and row["unit"] == "yes"]
        lines += [f"## {variant}", "",
                  f"Of {len(unit)} bugs that are in one function, {sum(r['found'] for r in unit)} were found and "
                  f"{sum(r['reported'] for r in unit)} reported.", "",
                  "| bug | version | function | found | level | score | reported | others | doubtful | dropped | seconds |",
                  "|---|---|---|---|---|---|---|---|---|---|---|"]
        for row in mine:
            version = f"{row['subject']} (fixed)" if row["is_fixed"] else row["subject"]
            if "found" not in row:
                lines.append(f"| {row['id']} | {version} | {row.get('function', '')} | not run: {row['missing']} | | | | | | | |")
                continue
            yes = lambda key: "yes" if row[key] else "no"
            lines.append(f"| {row['id']} | {version} | {row['function']} | {yes('found')} | {row['level']} | "
                         f"{row['score'] if row['score'] is not None else ''} | {yes('reported')} | {row['others']} | "
                         f"{row['doubtful']} | {row['dropped']} | {row['seconds']} |")
        lines.append("")
    out.with_suffix(".md").write_text("\n".join(lines))
    out.with_suffix(".json").write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
