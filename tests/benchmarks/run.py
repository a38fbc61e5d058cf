#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Benchmarks of planners, simulator and readers: one table and two pictures, comparable between two commits.

    tests/benchmarks/run.py                     quick, about a minute: FOLDER/benchmark.csv, benchmark.svg, growth.svg
    tests/benchmarks/run.py --full              all planners on all graphs: more than an hour
    tests/benchmarks/run.py --only growth       one group of quality, growth, speed
    tests/benchmarks/run.py --compare OLD.csv NEW.csv      what got better and what got worse
    tests/benchmarks/run.py --draw FILE.csv     the pictures of a table again

  quality  nine budgets per graph and planner: overhead, lower bound, gap, time; smallest peak that fits
  growth   CPU time of planning against the number of ops, one thread: to the first checked plan, to one within 1.1 times
           the bound and 0.1 points, and to the end where that is not the time limit
  speed    steps per second of simulator, checker and evaluators; import, costs, fingerprint and partitions

Every process times a fixed piece of work, too; the column `calibrated` has seconds as multiples of its median over the
run, and rates as counts per one, so that machines compare.
`process_peak_mib` is the largest memory of the process that made the row.
"""

import argparse
import csv
import io
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import comparison
import pictures

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ["gpt2", "resnet50", "unet", "transformer"]
NINE = "90,80,70,60,50,40,30,20,10"
MAIN = {"auto", "search", "hiremate"}  # patient planners that every mode takes; the others only come with --full


@dataclass
class Mode:
    quality: list[str]
    growth: list[str]
    speed: list[str]
    budgets: str = NINE
    quality_limit: float = 0.5
    growth_limit: float = 1
    bisections: int = 0
    all_planners: bool = False
    large: list[str] = field(default_factory=list)  # graphs of `quality` that only the main planners get


SMOKE = Mode(["chain:12"], ["layered:2", "u:2x1"], ["chain:12"], "90,70,50,20", 0.1, 0.1, 2, True)
QUICK = Mode(["gpt2", "unet", "random:250"], ["layered:2", "layered:6", "layered:24", "random:100", "random:1000"],
             ["gpt2", "random:1000"])
FULL = Mode(SAMPLES + ["random:100", "random:250", "random:500", "random:1000", "chain:100", "u:5x3", "layered:24"],
            SAMPLES + [f"layered:{n}" for n in (2, 4, 8, 16, 24, 48, 96, 313)]
            + [f"random:{n}" for n in (100, 250, 500, 1000, 2500, 5000, 10000)]
            + [f"chain:{n}" for n in (50, 200, 800, 3200)] + ["u:3x1", "u:5x3", "u:6x12", "u:8x40"],
            SAMPLES + ["random:1000", "random:10000", "layered:96"], NINE, 3, 10, 3, True, ["layered:96", "layered:313", "random:10000"])


def planners_of(binary: Path, mode: Mode, wanted: str) -> tuple[list[str], list[str]]:
    """Planners of the mode, and those of them that large graphs get."""
    listed = subprocess.run([binary, "--planners"], capture_output=True, text=True, check=True).stdout.split("\n")
    kinds = dict(line.split() for line in listed if line)
    if wanted:
        chosen = wanted.split(",")
    else:
        chosen = [name for name, kind in kinds.items() if mode.all_planners or kind == "quick" or name in MAIN]
    return chosen, [name for name in chosen if kinds.get(name) == "quick" or name in MAIN]


def jobs_of(binary: Path, mode: Mode, options: argparse.Namespace) -> list[list[str]]:
    """Command lines; one process for each graph, in growth for each graph and planner, so that memory is its own."""
    planners, main = planners_of(binary, mode, options.planners)
    limit = options.time_limit
    jobs = []
    if options.only in ("", "quality"):
        for graph in mode.quality + mode.large:
            names = main if graph in mode.large else planners
            jobs.append(["quality", graph, "--solver", ",".join(names), "--percent", mode.budgets, "--threads",
                         str(options.threads), "--bisections", str(mode.bisections), "--time-limit",
                         str(limit or mode.quality_limit)])
    if options.only in ("", "growth"):
        for graph in mode.growth:
            for name in ([",".join(planners)] if mode is SMOKE else main):
                jobs.append(["growth", graph, "--solver", name, "--time-limit", str(limit or mode.growth_limit),
                             "--percent", "80" if graph.startswith("random") else "60"])
    if options.only in ("", "speed"):
        jobs += [["speed", graph] for graph in mode.speed]
    return jobs


def measure(binary: Path, jobs: list[list[str]]) -> list[dict]:
    rows, seen, start = [], set(), time.monotonic()
    for i, job in enumerate(jobs):
        if sys.stderr.isatty():
            print(f"\r\033[K{i + 1} of {len(jobs)}  {time.monotonic() - start:.0f} s  {' '.join(job[:4])[:60]}", end="",
                  file=sys.stderr, flush=True)
        result = subprocess.run([binary, *job], capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit(f"\n{' '.join(job)}: {result.stderr or f'ended with {result.returncode}'}")
        for row in csv.DictReader(io.StringIO(result.stdout)):
            key = comparison.key_of(row)
            if key not in seen:  # each process of `growth` measures the bound again
                seen.add(key)
                rows.append(row)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    return calibrated(rows)


def calibrated(rows: list[dict]) -> list[dict]:
    """The rows with their figures in yardsticks: the median one of the run, since each alone is short."""
    yardstick = statistics.median(float(row["yardstick_seconds"]) for row in rows)
    for row in rows:
        value, kind = float(row["value"]), row["measure"]
        figure = value * yardstick if kind.endswith("_per_second") else value / yardstick if kind.endswith("_seconds") else ""
        row["calibrated"] = f"{figure:.6g}" if figure != "" else ""
    return rows


def write_table(path: Path, rows: list[dict]) -> None:
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def draw(rows: list[dict], folder: Path) -> list[Path]:
    made = []
    for name, picture in (("benchmark.svg", pictures.overview(rows)), ("growth.svg", pictures.growth(rows))):
        if picture:
            (folder / name).write_text(picture)
            made.append(folder / name)
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--full", action="store_true", help="all planners on all graphs: more than an hour")
    mode.add_argument("--smoke", action="store_true", help="tiny graphs, for the test suite")
    mode.add_argument("--compare", nargs=2, type=Path, metavar=("OLD", "NEW"))
    mode.add_argument("--draw", type=Path, metavar="CSV")
    parser.add_argument("--only", choices=["quality", "growth", "speed"], default="")
    parser.add_argument("--planners", default="", help="A,B instead of those of the mode")
    parser.add_argument("--time-limit", type=float, default=0, help="seconds for each plan instead of the mode's")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--bin", type=Path, default=ROOT / "build" / "bin")
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "build" / "benchmarks", metavar="FOLDER")
    options = parser.parse_args()

    if options.compare:
        sys.exit(comparison.report(*map(comparison.read, options.compare)))
    options.output.mkdir(parents=True, exist_ok=True)
    if options.draw:
        rows = list(comparison.read(options.draw).values())
    else:
        binary = options.bin / "remat-benchmark"
        chosen = FULL if options.full else SMOKE if options.smoke else QUICK
        rows = measure(binary, jobs_of(binary, chosen, options))
        write_table(options.output / "benchmark.csv", rows)
        print(options.output / "benchmark.csv")
    for picture in draw(rows, options.output):
        print(picture)


if __name__ == "__main__":
    main()
