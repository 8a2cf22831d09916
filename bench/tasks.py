#!/usr/bin/env python3
"""Branch and MC/DC coverage of tasks: a seeded draw over embedded programs, measured by clang's own coverage.

    bench/tasks.py [--tasks 150] [--seconds 60] [--jobs 2] [--seed 1] [--out DIR] [--variant NAME]... [SUBJECT...]

A task is a non-static function with branches, tested with its callees of the same file real and everything else a
stub (`--unit task`). The draw is printed before anything runs, so that it can be repeated. For each subject: `test`
of the drawn functions, `coverage`, then the reasons for what stayed uncovered, counted and grouped into the kinds that
MAIST's table III has. Writes DIR/tasks.json and a table, DIR/tasks.md, after each subject: what is stopped keeps what
it has, and with `--resume` goes on from there, with the verdicts below as they are then.

Reported alarms are looked up in bench/tasks-alarms.tsv, where each has been judged by reading the source: false, real or
unknown, and why; by subject, function (`task/function`: only there), class and statement (`*`: any of them). Those that
no line explains are listed.

A first run lists the functions of a subject's parts and builds them; the list is kept in the work directory. With
`--only-drawn` tasks are then tested in a copy whose compile database has only the files of the drawn tasks, which
shortens the build. Variants are compared that way:

    task          as above; the first of them, and the baseline
    function      every callee is a stub
    no-bit-fields, no-function-pointers    these stay zero
    calls         static locals are reached by calls alone
    stubs-writes  stubs also write what the function that they stand for may write

`--compare tasks.json...` runs nothing and prints the variants beside each other, subject by subject on the same tasks;
where files have the same subject, the last one counts.

Needs `concertino` (CONCERTINO or target/release/concertino) and the network for subjects that were not fetched yet.
"""

import argparse
import collections
import datetime
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUBJECTS = ["lwip", "tinyusb", "lvgl", "simavr", "can-utils"]
# The parts that the draw is made from. Nothing else of a subject is built: what tasks call there is a stub anyhow.
PARTS = {
    "lwip": ("src/core/",),
    "tinyusb": ("tinyusb/src/",),
    "lvgl": ("vendor/lvgl/src/lv_core/", "vendor/lvgl/src/lv_draw/"),
    "simavr": ("simavr/sim/",),
    "can-utils": ("lib.c", "libj1939.c", "canframelen.c"),
}
# Flags of `test`, and what concertino.toml says.
VARIANTS = {
    "task": (["--unit", "task"], ""),
    "function": (["--unit", "sut"], ""),
    "no-bit-fields": (["--unit", "task"], "[harness]\nbit-fields = false\n"),
    "no-function-pointers": (["--unit", "task"], "[harness]\nfunction-pointers = false\n"),
    "calls": (["--unit", "task", "--static-locals", "calls"], ""),
    "stubs-writes": (["--unit", "task", "--stubs", "writes"], ""),
}
# How a reason begins, and the kind that it counts as. An imprecise driver is none of them: it shows as paths that end
# before the branch, and those count as what ended them.
KINDS = {
    "infeasible": "unreachable",
    "budget": "path explosion",
    "blocked": "imprecise stub",
    "unsupported": "a value was lost",
}
ANALYSIS = ROOT / "bench" / "tasks-alarms.tsv"
VERDICTS = ("false", "real", "unknown")
NO_PAIR = re.compile(r"^    C\d+ .*no pair: (.*)$")
UNCOVERED = re.compile(r"^  uncovered \S+:\d+:\d+ (?:when true|when false|default|case \S+): (.*)$")


def concertino():
    return os.environ.get("CONCERTINO", str(ROOT / "target" / "release" / "concertino"))


def run(*arguments, **options):
    done = subprocess.run(arguments, capture_output=True, text=True, **options)
    if done.returncode not in (0, 5):
        sys.exit(f"{' '.join(map(str, arguments))} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return done.stdout


def copy_of(tree, place, keep=lambda entry: True):
    """A copy of a tree, with a compile database of the entries to keep: the cache of subjects is shared."""
    if not place.exists():
        shutil.copytree(tree, place, symlinks=True, ignore=shutil.ignore_patterns(".concertino"))
        database = place / "compile_commands.json"
        moved = json.loads(database.read_text().replace(str(tree), str(place)))
        database.write_text(json.dumps([entry for entry in moved if keep(entry)], indent=1))
    return place


def functions_of(name, options):
    """Every non-static function with branches of the subject's parts; a run lists them all."""
    listed = options.work / f"{name}.json"
    if listed.exists():
        return json.loads(listed.read_text())
    fetched = pathlib.Path(run(ROOT / "scripts" / "fetch-subject.sh", name).strip())
    tree = options.work / name
    parts = tuple(str(tree / part) for part in PARTS.get(name, [""]))
    copy_of(fetched, tree, lambda entry: os.path.join(entry["directory"], entry["file"]).startswith(parts))
    # Lists all functions and builds everything, at the cost of the functions of one small file.
    sources = [tree / path for path in sources_of(tree)]
    for small in sorted(sources, key=lambda path: path.stat().st_size):
        done = subprocess.run([concertino(), "test", "--dir", tree, "--jobs", str(options.jobs), "--progress", "none",
                               "--no-replay", "--time-per-function", "1", "--unit", "task", "--file", small],
                              capture_output=True)
        if done.returncode == 0: # the others have no function in this configuration
            break
    report = json.loads(run(concertino(), "report", "--dir", tree, "--json"))
    static = statics(tree)
    found = [
        f"{f['file']}:{f['name']}"
        for f in report["functions"]
        if f["branches"]["total"] > 0 and f["file"].endswith(".c") and f["name"] != "main"
        and f["name"] not in static[f["file"]]
    ]
    listed.write_text(json.dumps(found))
    return found


def sources_of(tree):
    """The files of the compile database, as reports show them."""
    found = []
    for entry in json.loads((tree / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["directory"], entry["file"])
        if source.is_relative_to(tree) and source.exists():
            found.append(str(source.relative_to(tree)))
    return found


def statics(tree):
    """By file, the names after `static` and before a parenthesis."""
    names = collections.defaultdict(set)
    for shown in sources_of(tree):
        text = (tree / shown).read_text(errors="replace")
        for declared in re.finditer(r"\bstatic\b[^;{}()=]*?(\w+)\s*\(", text):
            names[shown].add(declared.group(1))
    return names


def measure(tree, tasks, variant, options):
    flags, configuration = VARIANTS[variant]
    if configuration:
        (tree / "concertino.toml").write_text(configuration)
    common = ["--dir", tree, "--jobs", str(options.jobs), "--progress", "none"]
    chosen = [part for task in tasks for part in ("--function", task)]
    run(concertino(), "test", *common, *flags, "--time-per-function", str(options.seconds),
        "--seed", str(options.seed), *(["--no-replay"] if options.no_replay else []), *chosen)
    measured = json.loads(run(concertino(), "coverage", *common, *chosen, "--json"))
    report = json.loads(run(concertino(), "report", "--dir", tree, "--json"))
    return measured, report


def ratios(function):
    """Covered and total of branch sides, and of conditions by either criterion with those that are infeasible."""
    taken = [count > 0 for b in function["branches"] for count in (b["when_true"], b["when_false"])]
    conditions = [c for d in function["decisions"] for c in d["conditions"] if not c["constant"]]

    def shown(pair, criterion):
        return (sum(c[pair] is not None for c in conditions), len(conditions),
                sum(criterion in c.get("infeasible", []) for c in conditions))
    return [(sum(taken), len(taken), 0), shown("unique_cause", "unique-cause"), shown("masking", "masking")]


def reasons(tree, tasks):
    """Why sides of the tasks stayed uncovered and conditions without a pair, as `explain` says."""
    counted, listed, pairs = collections.Counter(), [], collections.Counter()
    for task in tasks:
        for line in run(concertino(), "explain", "--dir", tree, task).splitlines():
            if told := UNCOVERED.match(line):
                counted[told.group(1)] += 1
                listed.append(f"{task} {line.strip()}")
            elif told := NO_PAIR.match(line):
                pairs[told.group(1)] += 1
                listed.append(f"{task} {line.strip()}")
    return counted, listed, pairs


def analysis():
    """What was said about alarms: (subject, function, class, statement) to verdict and reason."""
    judged = {}
    for number, line in enumerate(ANALYSIS.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        parts = line.split("\t")
        if len(parts) != 6 or parts[4] not in VERDICTS:
            sys.exit(f"{ANALYSIS}:{number}: not subject, function, class, statement, verdict, reason")
        judged[tuple(parts[:4])] = parts[4:]
    return judged


def reported_as(alarm):
    """What is kept of an alarm."""
    return {"function": alarm["function"], "class": alarm["class"], "task": alarm["unit"]["name"],
            "statement": alarm["evidence"].get("expression", "").replace("\t", " "),
            "place": f"{alarm['file']}:{alarm['line']}"}


def judge(name, kept, judged):
    """The same with its verdict and reason; None where no line is about it."""
    keys = ((name, function, kept["class"], text)
            for function in (f"{kept['task']}/{kept['function']}", kept["function"])
            for text in (kept["statement"], "*"))
    verdict, why = next((judged[key] for key in keys if key in judged), (None, None))
    return {**kept, "verdict": verdict, "why": why}


def kinds(counted):
    """Sides by kind of reason."""
    sums = collections.Counter()
    for reason, count in counted.items():
        sums[KINDS.get(reason.split(":")[0], "other")] += count
    return sums


def reachable(row):
    """Branch sides without those that were proved to be infeasible."""
    covered, total = row["branches"][:2]
    return [covered, max(covered, total - row["infeasible"])]


def feasible(conditions):
    """Conditions without those that were proved to be infeasible."""
    covered, total, infeasible = conditions
    return [covered, total - infeasible]


def percent(pair):
    return f"{100 * pair[0] / pair[1]:.1f}% ({pair[0]}/{pair[1]})" if pair[1] else "-"


def one_subject(name, variant, tasks, options):
    """A row of the table, the reasons for uncovered sides, counted, and one line for each side."""
    tree = options.work / name
    if options.only_drawn:
        files = {str(tree / task.rsplit(":", 1)[0]) for task in tasks}
        place = options.work / f"{name}-{variant}-{options.tasks}-{options.seed}"
        # Paths in the database are those of the copy when it is filtered.
        drawn_files = {file.replace(str(tree), str(place)) for file in files}
        tree = copy_of(tree, place, lambda entry: os.path.join(entry["directory"], entry["file"]) in drawn_files)
    measured, report = measure(tree, tasks, variant, options)
    wanted, sums, each = set(tasks), [[0, 0, 0], [0, 0, 0], [0, 0, 0]], {}
    for function in measured["functions"]:
        task = f"{function['file']}:{function['name']}"
        if task in wanted:
            each[task] = ratios(function)
            for total, part in zip(sums, each[task]):
                total[:] = [a + b for a, b in zip(total, part)]
    counted, listed, pairs = reasons(tree, tasks)
    states = collections.Counter(f["status"] for f in report["functions"] if f"{f['file']}:{f['name']}" in wanted)
    alarms = [a for a in report["alarms"] if a["level"] != "dropped"]
    judged = analysis()
    reported = [judge(name, reported_as(a), judged) for a in alarms if not a["doubtful"]]
    row = {
        "subject": name, "tasks": len(tasks), "status": dict(states), "branches": sums[0], "mcdc": sums[1],
        "mcdc_masking": sums[2], "infeasible": kinds(counted)["unreachable"], "tests": len(measured["tests"]),
        "sufficient": len(measured["sufficient"]),
        "refused": sum(len(f.get("refused", [])) for f in measured["functions"]
                       if f"{f['file']}:{f['name']}" in wanted),
        "alarms": len(reported), "doubtful": len(alarms) - len(reported),
        "no_pair": dict(pairs), "each": each, "problems": measured["problems"], "judged": reported,
    }
    shown = {key: value for key, value in row.items() if key not in ("each", "problems", "judged")}
    print(variant, json.dumps(shown), flush=True)
    return row, counted, listed


def one_variant(result, drawn, options, write):
    """Adds the subjects that a result does not have yet, and writes after each."""
    done = {row["subject"] for row in result["rows"]}
    for name in options.subjects:
        tasks = [task for subject, task in drawn if subject == name]
        if not tasks or name in done or options.only and name not in options.only:
            continue
        row, counted, listed = one_subject(name, result["variant"], tasks, options)
        result["rows"].append(row)
        result["uncovered"] = dict(collections.Counter(result["uncovered"]) + counted)
        result["listed"] += listed
        write()


def total(result, key):
    return [sum(row[key][part] for row in result["rows"]) for part in (0, 1, 2)]


def judgements(rows):
    """Reported alarms by verdict and reason, and those that nobody has looked at."""
    every = [(row["subject"], alarm) for row in rows for alarm in row.get("judged", [])]
    counted = collections.Counter((alarm["verdict"], alarm["why"]) for _, alarm in every if alarm["verdict"])
    sums = collections.Counter(alarm["verdict"] or "not judged" for _, alarm in every)
    lines = ["| reported alarms | " + " | ".join((*VERDICTS, "not judged")) + " |", "|---|---|---|---|---|",
             f"| {len(every)} | " + " | ".join(str(sums[kind]) for kind in (*VERDICTS, "not judged")) + " |", "",
             "| verdict | why | alarms |", "|---|---|---|"]
    lines += [f"| {verdict} | {why} | {count} |" for (verdict, why), count in sorted(counted.items())] + [""]
    lines += [f"- not judged: {subject} {alarm['place']} {alarm['function']}: {alarm['class']}: `{alarm['statement']}`"
              for subject, alarm in every if not alarm["verdict"]]
    return lines + [""]


def table(results):
    lines = []
    for result in results:
        if len(results) > 1:
            lines += [f"### {result['variant']}", ""]
        lines += ["| subject | tasks | branches | of reachable ones | MC/DC | of feasible ones | with masking "
                  "| of feasible ones | not measured | tests | sufficient | alarms | doubtful |",
                  "|---|---|---|---|---|---|---|---|---|---|---|---|---|"]
        whole = {key: sum(row[key] for row in result["rows"])
                 for key in ("tasks", "infeasible", "refused", "tests", "sufficient", "alarms", "doubtful")}
        whole |= {key: total(result, key) for key in ("branches", "mcdc", "mcdc_masking")} | {"subject": "all"}
        for row in result["rows"] + [whole]:
            lines.append(
                f"| {row['subject']} | {row['tasks']} | {percent(row['branches'])} | {percent(reachable(row))} | "
                f"{percent(row['mcdc'])} | {percent(feasible(row['mcdc']))} | {percent(row['mcdc_masking'])} | "
                f"{percent(feasible(row['mcdc_masking']))} | {row['refused']} | {row['tests']} | "
                f"{row['sufficient']} | {row['alarms']} | {row['doubtful']} |"
            )
        sums = kinds(result["uncovered"])
        lines += ["", "| kind of reason | sides | share |", "|---|---|---|"]
        lines += [f"| {kind} | {count} | {100 * count / sums.total():.1f}% |" for kind, count in sums.most_common()]
        lines += ["", "| why a side stayed uncovered | sides |", "|---|---|"]
        counted = sorted(result["uncovered"].items(), key=lambda item: -item[1])
        lines += [f"| {reason} | {count} |" for reason, count in counted] + [""]
        pairs = sum((collections.Counter(row["no_pair"]) for row in result["rows"]), collections.Counter())
        lines += ["| why a condition has no pair | conditions |", "|---|---|"]
        lines += [f"| {reason} | {count} |" for reason, count in pairs.most_common()] + [""]
        lines += judgements(result["rows"])
    return "\n".join(lines)


def compared(files):
    """Each variant against `task` on the tasks that both have, as the tables of MAIST's ablations."""
    found = collections.defaultdict(dict)
    for file in files:
        results = json.loads(file.read_text())["results"]
        subjects = {row["subject"] for result in results for row in result["rows"] if len(results) > 1}
        for known in found.values():
            for subject in subjects & known.keys():
                del known[subject]
        for result in results:
            found[result["variant"]] |= {row["subject"]: row for row in result["rows"]}
    lines = ["| variant | subjects | tasks | branch sides | as tasks | MC/DC conditions | as tasks "
             "| tasks with fewer sides | with more |", "|---|---|---|---|---|---|---|---|---|"]
    base = found["task"]
    for variant, rows in found.items():
        common = [subject for subject in SUBJECTS if subject in rows and subject in base]
        sums = lambda of, key: [sum(of[subject][key][part] for subject in common) for part in (0, 1)]
        sides = [(row[0][0], base[subject]["each"][task][0][0]) for subject in common
                 for task, row in rows[subject]["each"].items() if task in base[subject]["each"]]
        lines.append(
            f"| {variant} | {', '.join(common)} | {len(sides)} | "
            f"{percent(sums(rows, 'branches'))} | {percent(sums(base, 'branches'))} | "
            f"{percent(sums(rows, 'mcdc'))} | {percent(sums(base, 'mcdc'))} | "
            f"{sum(own < task for own, task in sides)} | {sum(own > task for own, task in sides)} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=150)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--variant", action="append", choices=list(VARIANTS), default=[])
    parser.add_argument("--only-drawn", action="store_true", help="build only the files of the drawn tasks")
    parser.add_argument("--no-replay", action="store_true", help="alarms are not confirmed: saves a build")
    parser.add_argument("--resume", action="store_true", help="keep the subjects that DIR/tasks.json has")
    parser.add_argument("--only", action="append", default=[], metavar="SUBJECT", help="of the draw, only these now; --resume adds to them")
    parser.add_argument("--list", action="store_true", help="draw and stop")
    parser.add_argument("--compare", nargs="+", type=pathlib.Path, metavar="JSON", help="results to compare; runs nothing")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "bench" / "results" / "tasks")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("/tmp/concertino-tasks"))
    parser.add_argument("subjects", nargs="*", default=SUBJECTS)
    options = parser.parse_args()
    if options.compare:
        print(compared(options.compare))
        return
    options.work.mkdir(parents=True, exist_ok=True)
    options.out.mkdir(parents=True, exist_ok=True)
    variants = options.variant or ["task"]
    if len(variants) > 1:
        options.only_drawn = True

    every = [(name, task) for name in options.subjects for task in functions_of(name, options)]
    drawn = sorted(random.Random(options.seed).sample(sorted(every), min(options.tasks, len(every))))
    print(f"seed {options.seed}: {len(drawn)} of {len(every)} tasks")
    for name, task in drawn:
        print(f"  {name} {task}", flush=True)
    if options.list:
        return

    written = {
        "date": datetime.date.today().isoformat(), "seed": options.seed, "seconds": options.seconds,
        "only_drawn": options.only_drawn, "of": len(every), "drawn": [list(task) for task in drawn], "results": [],
    }
    file = options.out / "tasks.json"
    if options.resume and file.exists():
        earlier = json.loads(file.read_text())
        if (earlier["drawn"], earlier["seconds"]) != (written["drawn"], written["seconds"]):
            sys.exit(f"{file} is of another draw or another time")
        written["results"] = earlier["results"]
        judged = analysis() # which may have been written since
        for row in (row for result in earlier["results"] for row in result["rows"]):
            row["judged"] = [judge(row["subject"], kept, judged) for kept in row.get("judged", [])]

    def write():
        file.write_text(json.dumps(written, indent=1) + "\n")
        (options.out / "tasks.md").write_text(table(written["results"]) + "\n")

    for variant in variants:
        result = next((known for known in written["results"] if known["variant"] == variant), None)
        if not result:
            result = {"variant": variant, "rows": [], "uncovered": {}, "listed": []}
            written["results"].append(result)
        one_variant(result, drawn, options, write)
    write()
    print(table(written["results"]))


if __name__ == "__main__":
    main()
