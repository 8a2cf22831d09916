#!/usr/bin/env python3
"""Branch and MC/DC coverage of tasks: a seeded draw over embedded programs, measured by clang's own coverage.

    bench/tasks.py [--tasks 150] [--seconds 60] [--jobs 2] [--seed 1] [--out DIR] [SUBJECT...]

A task is a non-static function with branches, tested with its callees of the same file real and everything else a
stub (`--unit task`). The draw is printed before anything runs, so that it can be repeated. For each subject: `test`
of the drawn functions, `coverage`, then the reasons for what stayed uncovered, counted. Writes DIR/tasks.json and a
table, DIR/tasks.md. Needs `concertino` (CONCERTINO or target/release/concertino) and the network for subjects that
were not fetched yet.
"""

import argparse
import collections
import datetime
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUBJECTS = ["lwip", "lvgl", "simavr", "can-utils"]
# The parts that the draw is made from; the rest of a subject is linked, not tested.
PARTS = {"lwip": "src/core/", "lvgl": "lvgl/src/", "simavr": "sim/", "can-utils": "lib"}


def concertino():
    return os.environ.get("CONCERTINO", str(ROOT / "target" / "release" / "concertino"))


def run(*arguments, **options):
    done = subprocess.run(arguments, capture_output=True, text=True, **options)
    if done.returncode not in (0, 5):
        sys.exit(f"{' '.join(map(str, arguments))} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return done.stdout


def prepare(name, work):
    """A copy of the subject's tree: the cache is shared."""
    tree = pathlib.Path(run(ROOT / "scripts" / "fetch-subject.sh", name).strip())
    copy = work / name
    if not copy.exists():
        shutil.copytree(tree, copy, symlinks=True, ignore=shutil.ignore_patterns(".concertino"))
        database = copy / "compile_commands.json"
        database.write_text(database.read_text().replace(str(tree), str(copy)))
    return copy


def functions_of(tree, name):
    """Every non-static function with branches; known after a run, because a run lists them all."""
    report = json.loads(run(concertino(), "report", "--dir", tree, "--json"))
    static = statics(tree)
    return [
        f"{f['file']}:{f['name']}"
        for f in report["functions"]
        if f["branches"]["total"] > 0 and f["file"].startswith(PARTS.get(name, "")) and f["name"] not in static
        and f["name"] != "main"
    ]


def statics(tree):
    """Names that some file defines as static functions, from the symbols of plain objects."""
    names = set()
    for entry in json.loads((tree / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["directory"], entry["file"])
        text = source.read_text(errors="replace") if source.exists() else ""
        previous = ""
        for line in text.splitlines():
            words = (previous + " " + line).replace("*", " ").split("(")[0].split()
            if "static" in words and "(" in line and words:
                names.add(words[-1])
            previous = line if line and not line.endswith((";", "}")) else ""
    return names


def measure(tree, tasks, options):
    arguments = ["--dir", tree, "--jobs", str(options.jobs), "--progress", "none"]
    chosen = [part for task in tasks for part in ("--function", task)]
    run(concertino(), "test", *arguments, "--unit", options.unit, "--time-per-function", str(options.seconds),
        "--seed", str(options.seed), *chosen)
    measured = json.loads(run(concertino(), "coverage", *arguments, *chosen, "--json"))
    report = json.loads(run(concertino(), "report", "--dir", tree, "--json"))
    return measured, report


def ratios(function):
    taken = [count > 0 for b in function["branches"] for count in (b["when_true"], b["when_false"])]
    conditions = [c for d in function["decisions"] for c in d["conditions"] if not c["constant"]]
    shown = [c["unique_cause"] is not None for c in conditions]
    masked = [c["masking"] is not None for c in conditions]
    return (sum(taken), len(taken)), (sum(shown), len(shown)), (sum(masked), len(masked))


def reasons(tree, tasks):
    """Why sides of the tasks stayed uncovered, as `explain` says."""
    counted = collections.Counter()
    for task in tasks:
        for line in run(concertino(), "explain", "--dir", tree, task).splitlines():
            if line.startswith("  uncovered "):
                counted[line.rsplit(": ", 1)[1]] += 1
    return counted


def percent(pair):
    return f"{100 * pair[0] / pair[1]:.1f}% ({pair[0]}/{pair[1]})" if pair[1] else "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=150)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unit", default="task", help="task, or sut for function-oriented testing")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "bench" / "results" / "tasks")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("/tmp/concertino-tasks"))
    parser.add_argument("subjects", nargs="*", default=SUBJECTS)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    options.out.mkdir(parents=True, exist_ok=True)

    trees, every = {}, []
    for name in options.subjects:
        trees[name] = prepare(name, options.work)
        # Lists all functions and builds everything, at the cost of one function.
        subprocess.run([concertino(), "test", "--dir", trees[name], "--jobs", str(options.jobs), "--progress", "none",
                        "--time-per-function", "1", "--unit", options.unit, "--function", "*_init"],
                       capture_output=True)
        every += [(name, task) for task in functions_of(trees[name], name)]
    drawn = sorted(random.Random(options.seed).sample(sorted(every), min(options.tasks, len(every))))
    print(f"seed {options.seed}: {len(drawn)} of {len(every)} tasks")
    for name, task in drawn:
        print(f"  {name} {task}")

    rows, why = [], collections.Counter()
    for name in options.subjects:
        tasks = [task for subject, task in drawn if subject == name]
        if not tasks:
            continue
        measured, report = measure(trees[name], tasks, options)
        wanted = set(tasks)
        sums = [[0, 0], [0, 0], [0, 0]]
        for function in measured["functions"]:
            if f"{function['file']}:{function['name']}" in wanted:
                for total, part in zip(sums, ratios(function)):
                    total[0] += part[0]
                    total[1] += part[1]
        why += reasons(trees[name], tasks)
        states = collections.Counter(
            f["status"] for f in report["functions"] if f"{f['file']}:{f['name']}" in wanted
        )
        rows.append({
            "subject": name, "tasks": len(tasks), "status": dict(states), "branches": sums[0], "mcdc": sums[1],
            "mcdc_masking": sums[2], "tests": len(measured["tests"]), "sufficient": len(measured["sufficient"]),
            "alarms": len([a for a in report["alarms"] if a["level"] != "dropped"]),
            "problems": measured["problems"],
        })
        print(json.dumps(rows[-1]))
    result = {
        "date": datetime.date.today().isoformat(), "seed": options.seed, "seconds": options.seconds,
        "unit": options.unit, "drawn": drawn, "rows": rows, "uncovered": dict(why),
    }
    (options.out / "tasks.json").write_text(json.dumps(result, indent=1) + "\n")
    table = ["| subject | tasks | branches | MC/DC | with masking | tests | sufficient | alarms |",
             "|---|---|---|---|---|---|---|---|"]
    for row in rows:
        table.append(
            f"| {row['subject']} | {row['tasks']} | {percent(row['branches'])} | {percent(row['mcdc'])} | "
            f"{percent(row['mcdc_masking'])} | {row['tests']} | {row['sufficient']} | {row['alarms']} |"
        )
    table += ["", "| why a side stayed uncovered | sides |", "|---|---|"]
    table += [f"| {reason} | {count} |" for reason, count in why.most_common()]
    (options.out / "tasks.md").write_text("\n".join(table) + "\n")
    print("\n".join(table))


if __name__ == "__main__":
    main()
