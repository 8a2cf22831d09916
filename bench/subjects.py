#!/usr/bin/env python3
"""Runs concertino on real C programs and writes the results table.

    bench/subjects.py [--seconds 10] [--jobs 2] [--no-contexts] [--out bench/results/NAME.md] SUBJECT...

Each subject is fetched by scripts/fetch-subject.sh, tested in a campaign of its own, and read back
through `concertino report --json`. Beside the table (Markdown) the raw numbers are written as JSON.
"""

import argparse
import collections
import datetime
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CONCERTINO = ROOT / "target" / "release" / "concertino"


def run_subject(name, arguments):
    concertino = arguments.concertino
    tree = subprocess.run(
        [ROOT / "scripts" / "fetch-subject.sh", name], check=True, capture_output=True, text=True
    ).stdout.strip()
    shutil.rmtree(pathlib.Path(tree) / ".concertino", ignore_errors=True)
    begin = time.monotonic()
    test = subprocess.run(
        [concertino, "test", "--jobs", str(arguments.jobs), "--time-per-function", str(arguments.seconds),
         "--seed", str(arguments.seed)] + ["--no-contexts"] * arguments.no_contexts,
        cwd=tree, stdin=subprocess.DEVNULL, capture_output=True, text=True,
    )
    wall = time.monotonic() - begin
    report = subprocess.run([concertino, "report", "--json"], cwd=tree, capture_output=True, text=True)
    if report.returncode != 0:
        sys.exit(f"{name}: no report: {report.stderr}\n{test.stderr[-2000:]}")
    return summarise(name, json.loads(report.stdout), wall, test)


def summarise(name, report, wall, test):
    functions = report["functions"]
    status = collections.Counter(function["status"] for function in functions)
    reasons = collections.Counter(
        f'{function["status"]}: {function["reason"]}' for function in functions if function["status"] != "done"
    )
    levels = collections.Counter(alarm["level"] for alarm in report["alarms"])
    classes = collections.Counter(
        alarm["class"] for alarm in report["alarms"] if alarm["level"] != "dropped"
    )
    engine = report["engine"]
    return {
        "subject": name,
        "exit_code": test.returncode,
        "panicked": "panicked at" in test.stderr,
        "wall_seconds": round(wall, 1),
        "functions": len(functions),
        "status": dict(status),
        "reasons": dict(reasons.most_common()),
        "driven_percent": round(100 * status["done"] / max(1, len(functions)), 1),
        "branches": report["coverage"]["branches"],
        "alarms_by_level": dict(levels),
        "alarms_by_class": dict(classes),
        "engine": engine,
        "divergence_percent": round(
            100 * sum(engine["divergences"].values()) / max(1, engine["executions"]), 3
        ),
    }


def table(rows, arguments):
    yield f"# Real programs, {arguments.seconds} s per function, {arguments.jobs} workers"
    yield ""
    yield f"- date: {datetime.date.today().isoformat()}"
    yield f"- machine: {os.cpu_count()} cores, {platform.system()} {platform.release()}, {platform.machine()}"
    options = ["--seconds", str(arguments.seconds), "--jobs", str(arguments.jobs)]
    options += ["--no-contexts"] * arguments.no_contexts
    yield "- command: `bench/subjects.py " + " ".join(options + arguments.subjects) + "`"
    yield ""
    yield "| subject | functions | driven | branches | alarms | dropped | executions | queries | diverged | minutes |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for row in rows:
        covered, total = row["branches"]["covered"], row["branches"]["total"]
        alarms = sum(count for level, count in row["alarms_by_level"].items() if level != "dropped")
        yield (
            f'| {row["subject"]} | {row["functions"]} | {row["driven_percent"]}% '
            f"| {covered} of {total} ({100 * covered / max(1, total):.1f}%) | {alarms} "
            f'| {row["alarms_by_level"].get("dropped", 0)} | {row["engine"]["executions"]} '
            f'| {row["engine"]["queries"]} | {row["divergence_percent"]}% | {row["wall_seconds"] / 60:.1f} |'
        )
    for row in rows:
        yield ""
        yield f'## {row["subject"]}'
        for title, counts in [
            ("Not driven", row["reasons"]),
            ("Alarms", row["alarms_by_class"]),
            ("Divergences", row["engine"]["divergences"]),
            ("Concretisations", row["engine"]["concretisations"]),
        ]:
            listed = ", ".join(f"{key} ({count})" for key, count in sorted(counts.items())) or "none"
            yield f"- {title}: {listed}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("subjects", nargs="+")
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-contexts", action="store_true", help="do not check alarms against callers")
    parser.add_argument("--concertino", type=pathlib.Path, default=CONCERTINO, help="the program to run")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "bench" / "results" / "subjects.md")
    arguments = parser.parse_args()
    rows = []
    for name in arguments.subjects:
        print(f"{name} ...", file=sys.stderr, flush=True)
        rows.append(run_subject(name, arguments))
        # Written after every subject, so that an interrupted run leaves what it has.
        arguments.out.write_text("\n".join(table(rows, arguments)) + "\n")
        arguments.out.with_suffix(".json").write_text(json.dumps(rows, indent=1) + "\n")
    print("\n".join(table(rows, arguments)))
    failed = [row["subject"] for row in rows if row["panicked"] or row["exit_code"] not in (0, 1)]
    if failed:
        sys.exit(f"concertino itself failed on: {', '.join(failed)}")


if __name__ == "__main__":
    main()
