#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every planner on every sample, from 90 % down to where it says that nothing fits: the table of what it answered.

    tests/benchmarks/planner_walk.py [--bin build/bin] [--solver all] [--budgets 90 80 ... 10] [--time-limit 5]
                                     [--slack 2] [--clock cpu] [--threads 1] [-o walk.csv] [MODEL ...]

Calls `remat plan` for each budget until the planner says infeasible, and passes every plan that it wrote through
`remat check`. Ends with 1 and a list when anything was wrong: a plan that the checker refuses or that is over its
budget, an answer without a sentence, a call that took longer than its limit and --slack seconds (start of the program
and reading of the model included), a planner that failed where it planned before, a crash. Time that is up before there
is a plan is an answer, shown as such, not an error. On a machine that others use, --clock cpu counts the processor time
of one thread instead, which waiting for a turn does not add to.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ["tiny_gpt2", "tiny_resnet", "tiny_transformer", "tiny_unet", "gpt2", "resnet50", "unet", "transformer"]
# How calls end that no graph and no budget may lead to, though they are answers to `remat plan`.
BROKEN = ["breaks the rules", " failed: ", "cannot be computed in its own order"]


@dataclass
class Call:
    code: int
    answer: dict
    error: str
    wall: float
    cpu: float


@dataclass
class Walk:
    model: str
    planner: str
    steps: list = field(default_factory=list)  # (percent, what, peak share, overhead, wall, cpu, sentence)
    wrong: list = field(default_factory=list)


def call(binaries: Path, *arguments: str) -> Call:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        begun = time.monotonic()
        process = subprocess.Popen([binaries / "remat", *arguments, "--json"], stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        text = out.read().decode(errors="replace")
        try:
            answer = json.loads(text) if text else {}
        except json.JSONDecodeError:
            answer = {"message": text}
        return Call(process.returncode, answer, err.read().decode(errors="replace").strip(), wall,
                    usage.ru_utime + usage.ru_stime)


def planners(binaries: Path, wanted: str) -> list[str]:
    known = [s["name"] for s in call(binaries, "solvers").answer["solvers"]]
    names = known if wanted == "all" else wanted.split(",")
    if unknown := [n for n in names if n not in known]:
        sys.exit(f"There is no planner called {unknown[0]}. `remat solvers` lists them.")
    return names


def walk(model: str, planner: str, options: argparse.Namespace, folder: Path) -> Walk:
    result = Walk(Path(model).stem, planner)
    file = str(folder / "plan.json")
    for percent in options.budgets:
        Path(file).unlink(missing_ok=True)
        made = call(options.bin, "plan", model, "--solver", planner, "--budget", f"{percent}%", "--time-limit",
                    str(options.time_limit), "--threads", str(options.threads), "-o", file)
        sentence = made.answer.get("message") or made.error
        status = made.answer.get("status", "")

        def wrong(why: str) -> None:
            result.wrong.append(f"{result.model} {planner} {percent} %: {why}")

        peak, overhead = None, None
        took = made.cpu if options.clock == "cpu" else made.wall
        if took > options.time_limit + options.slack:
            wrong(f"took {made.wall:.1f} s ({made.cpu:.1f} s of processor time)")
        if made.code == 0:
            what = "plan"
            peak = made.answer["peak_bytes"] / made.answer["keep_all_peak_bytes"]
            overhead = made.answer["overhead"]
            if made.answer["peak_bytes"] > made.answer["budget_bytes"]:
                wrong(f"peak {100 * peak:.2f} % is over the budget")
            checked = call(options.bin, "check", model, file)
            if checked.code != 0:
                wrong(f"`remat check` refuses the plan: {checked.answer.get('sentence') or checked.error}")
        elif made.code == 1:
            what = status
            if status not in ("infeasible", "stopped"):
                wrong(f"no plan, but the status is \"{status}\"")
        elif made.code == 2:
            what = "not applicable"
            if any(step[1] == "plan" for step in result.steps):
                wrong(f"refused after it had planned a larger budget: {sentence}")
        else:
            what = "crash"
            wrong(f"ended with {made.code}: {sentence}")
        if made.code != 0 and not sentence:
            wrong("no sentence says why")
        if any(text in sentence for text in BROKEN):
            wrong(sentence)
        result.steps.append((percent, what, peak, overhead, made.wall, made.cpu, sentence))
        if what in ("infeasible", "not applicable", "crash"):
            break
    return result


def line(result: Walk, clock: str) -> str:
    """`90…40 plans, 30 infeasible: sentence`."""
    plans = [step for step in result.steps if step[1] == "plan"]
    late = [step for step in result.steps if step[1] == "stopped"]
    parts = []
    if plans:
        parts.append(f"plans {plans[0][0]}…{plans[-1][0]} %" if len(plans) > 1 else f"plans {plans[0][0]} %")
    if late:
        parts.append("out of time at " + ", ".join(str(step[0]) for step in late) + " %")
    last = result.steps[-1]
    if last[1] == "infeasible":
        parts.append(f"infeasible at {last[0]} %: {last[6]}")
    elif last[1] != "plan" and last[1] != "stopped":
        parts.append(f"{last[1]}: {last[6]}")
    longest = max(step[5 if clock == "cpu" else 4] for step in result.steps)
    mark = "WRONG " if result.wrong else ""
    return f"| {result.planner} | {longest:.1f} | {mark}{'; '.join(parts)} |"


def write(file: Path, results: list[Walk]) -> None:
    with open(file, "w", newline="") as output:
        table = csv.writer(output)
        table.writerow(["model", "planner", "budget_percent", "answer", "peak_percent", "overhead_percent",
                        "wall_seconds", "cpu_seconds", "message"])
        for result in results:
            for percent, what, peak, overhead, wall, cpu, sentence in result.steps:
                table.writerow([result.model, result.planner, percent, what,
                                "" if peak is None else f"{100 * peak:.4f}",
                                "" if overhead is None else f"{100 * overhead:.4f}",
                                f"{wall:.2f}", f"{cpu:.2f}", sentence])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", help="traces or graphs; all samples when left out")
    parser.add_argument("--bin", type=Path, default=ROOT / "build" / "bin")
    parser.add_argument("--solver", default="all", help="planners, separated by commas")
    parser.add_argument("--budgets", nargs="+", type=int, default=list(range(90, 0, -10)), metavar="PERCENT")
    parser.add_argument("--time-limit", type=float, default=5)
    parser.add_argument("--slack", type=float, default=2, help="seconds; more on a busy machine")
    parser.add_argument("--clock", choices=["wall", "cpu"], default="wall")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, help="every call as CSV")
    options = parser.parse_args()
    models = options.models or [str(ROOT / "resources" / "samples" / f"{name}.pt2") for name in SAMPLES]
    names = planners(options.bin, options.solver)

    results: list[Walk] = []
    with tempfile.TemporaryDirectory() as folder:
        for model in models:
            print(f"\n**{Path(model).stem}**\n\n| planner | longest call, s | answers |\n|---|---|---|", flush=True)
            for planner in names:
                results.append(walk(model, planner, options, Path(folder)))
                print(line(results[-1], options.clock), flush=True)
                if options.output:
                    write(options.output, results)
    wrong = [sentence for result in results for sentence in result.wrong]
    steps = [step for result in results for step in result.steps]
    plans = sum(1 for step in steps if step[1] == "plan")
    print(f"\n{len(names)} planners, {len(models)} models, {len(steps)} calls, {plans} plans that the checker passed"
          if not wrong else "\nWrong:\n" + "\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
