#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Moccasin on random layered graphs after 10, 60 and 600 s, and how long it and Checkmate take to the proven optimum,
neither with a plan to start from.

    tests/benchmarks/moccasin_table.py courses [--graphs random:250:1,random:1000:1] [--ways cold,warm,checkmate,checkmate-cold]
    tests/benchmarks/moccasin_table.py optima [--graphs chain:30,random:60:1] [--rows optima.csv]

`--rows FILE` adds what is measured to a file, leaves out what is there already, and prints the table of all of it: so hours of
solves can be made one by one. `remat-benchmark course` measures: one solve gives the plans after 10, 60 and 600 s.
"""

import argparse
import csv
import io
import pathlib
import resource
import subprocess
import sys
import time

_ROOT = pathlib.Path(__file__).resolve().parents[2]

# Planner and options.
_WAYS = {
    "warm": ("moccasin", []),
    "cold": ("moccasin", ["warm=off"]),
    "checkmate": ("checkmate", ["max-ops=2000"]),
    "checkmate-cold": ("checkmate", ["max-ops=2000", "warm=off"]),
}
_MARKS = (10, 60, 600)
_COURSES = ["random:250:1", "random:500:1", "random:1000:1"]
_OPTIMA = ["chain:29", "chain:39", "chain:49", "random:60:1", "random:60:2", "random:80:1", "random:80:2", "random:100:1",
           "random:100:2", "u:4x2", "u:4x4", "u:5x3"]
# Added time in percent by ops and budget, of the paper's own graphs.
_PUBLISHED = {(250, 90): "0.9", (250, 80): "4.9", (1000, 90): "0.7", (1000, 80): "3.4"}
_FIELDS = ["graph", "ops", "budget", "way", "limit", "threads", "status", "seconds", "cpu_seconds", "percent", "bound", "course"]


def main():
    options = _options()
    rows = _known(options.rows)
    for graph in options.graphs or (_COURSES if options.what == "courses" else _OPTIMA):
        for budget in options.budgets:
            for way in options.ways:
                if any((row["graph"], row["budget"], row["way"]) == (graph, str(budget), way) for row in rows):
                    continue
                row = _measure(options, graph, budget, way)
                rows.append(row)
                _append(options.rows, row)
    (_print_courses if options.what == "courses" else _print_optima)(rows, options.marks)


def _options():
    def words(text):
        return text.split(",")

    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("what", choices=["courses", "optima"])
    parser.add_argument("--graphs", type=words, help="as remat-benchmark names them")
    parser.add_argument("--budgets", type=lambda text: [int(each) for each in words(text)], default=[90, 80])
    parser.add_argument("--ways", type=words, default=None, help="of " + ", ".join(_WAYS))
    parser.add_argument("--time-limit", type=float, default=None, help="seconds a solve; default: 600 and 120")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rows", type=pathlib.Path, help="CSV that rows are added to")
    parser.add_argument("--bin", type=pathlib.Path, default=_ROOT / "build" / "bin")
    options = parser.parse_args()
    options.ways = options.ways or (["cold", "warm"] if options.what == "courses" else ["checkmate-cold", "cold"])
    options.time_limit = options.time_limit or (_MARKS[-1] if options.what == "courses" else 120)
    options.marks = [mark for mark in _MARKS if mark < options.time_limit] + [options.time_limit]
    return options


def _known(path):
    if not path or not path.exists():
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def _append(path, row):
    if not path:
        return
    with open(path, "a", newline="") as file:
        writer = csv.DictWriter(file, _FIELDS)
        if file.tell() == 0:
            writer.writeheader()
        writer.writerow(row)


def _cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _measure(options, graph, budget, way):
    planner, settings = _WAYS[way]
    command = [options.bin / "remat-benchmark", "course", graph, "--solver", planner, "--percent", str(budget),
               "--threads", str(options.threads), "--time-limit", str(options.time_limit)]
    command += [word for setting in settings for word in ("--set", setting)]
    before, begin = _cpu(), time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"remat-benchmark cannot measure {graph}.")
    made = list(csv.DictReader(io.StringIO(done.stdout)))
    end = next(each for each in made if each["measure"] == "planning_seconds")
    plans = [(float(each["note"]), float(each["value"])) for each in made if each["measure"] == "incumbent_percent"]
    bounds = [float(each["value"]) for each in made if each["measure"] == "bound_percent"]
    return {"graph": graph, "ops": end["ops"], "budget": str(budget), "way": way, "limit": f"{options.time_limit:g}",
            "threads": str(options.threads), "status": end["note"], "seconds": f"{float(end['value']):.2f}",
            "cpu_seconds": f"{_cpu() - before:.1f}", "percent": f"{plans[-1][1]:.6g}" if plans else "",
            "bound": f"{bounds[-1]:.6g}" if bounds else "",
            "course": " ".join(f"{at:.2f}:{percent:.6g}" for at, percent in plans)}


def _after(row, seconds):
    """The best plan by then, in percent; `–` where there was none."""
    reached = [float(percent) for at, percent in (each.split(":") for each in row["course"].split()) if float(at) <= seconds + 0.5]
    return f"{min(reached):.2f} %" if reached else "–"


def _ended(row):
    if row["status"] == "optimal":
        return f"proven after {float(row['seconds']):.0f} s"
    return row["status"] if row["course"] or row["status"] in ("stopped", "infeasible") else row["status"].split(". ")[0]


def _print_courses(rows, marks):
    print("| graph | budget | published | way | " + " | ".join(f"{mark:g} s" for mark in marks) + " | bound | end | CPU, s |")
    print("|---|---|---|---|" + "---|" * len(marks) + "---|---|---|")
    order = list(_WAYS)
    for row in sorted(rows, key=lambda row: (int(row["ops"]), row["graph"], -int(row["budget"]), order.index(row["way"]))):
        published = _PUBLISHED.get((int(row["ops"]), int(row["budget"])), "–")
        bound = f"{float(row['bound']):.2f} %" if row["bound"] else "–"
        print("| " + " | ".join([row["graph"], row["budget"] + " %", published, row["way"], *[_after(row, mark) for mark in marks],
                                 bound, _ended(row), f"{float(row['cpu_seconds']):.0f}"]) + " |")


def _print_optima(rows, _marks):
    print("| graph | ops | budget | added time | checkmate cold, s | moccasin cold, s | |")
    print("|---|---|---|---|---|---|---|")
    cases = sorted({(int(row["ops"]), row["graph"], -int(row["budget"])) for row in rows})
    for ops, graph, budget in cases:
        both = {row["way"]: row for row in rows if (row["graph"], -int(row["budget"])) == (graph, budget)}
        if not {"checkmate-cold", "cold"} <= both.keys():
            continue
        whole, cold = both["checkmate-cold"], both["cold"]

        def said(row):
            return f"{float(row['seconds']):.1f}" if row["status"] in ("optimal", "infeasible") else f"not in {float(row['limit']):g}"

        same = whole["status"] == cold["status"] == "optimal"
        verdict = "" if not same else f"{float(whole['seconds']) / float(cold['seconds']):.2g} times"
        if same and abs(float(whole["percent"]) - float(cold["percent"])) > 1e-3:
            verdict = f"not equal: {cold['percent']} %"
        best = min((float(row["percent"]) for row in both.values() if row["percent"]), default=None)
        print("| " + " | ".join([graph, str(ops), f"{-budget} %", "no plan" if best is None else f"{best:.2f} %", said(whole),
                                 said(cold), verdict]) + " |")


if __name__ == "__main__":
    main()
