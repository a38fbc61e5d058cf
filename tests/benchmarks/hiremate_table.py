#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What HiRemate makes of each way to cut a graph and each planner for its blocks, as Markdown.

    tests/benchmarks/hiremate_table.py [--bin build/bin] [--budget 60%] [--time-limit 30] [MODEL ...]

A cell is the overhead and the processor seconds of one plan; a row is one planner for blocks, a column one partitioner.
Both lists are read from `remat solvers`.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ["gpt2", "resnet50", "unet", "transformer"]


def choices(binaries: Path, option: str) -> list[str]:
    listed = json.loads(subprocess.run([binaries / "remat", "solvers", "--json"], capture_output=True, check=True).stdout)
    records = next(s for s in listed["solvers"] if s["name"] == "hiremate")["options"]
    return next(r for r in records if r["name"] == option)["choices"]


def cell(options: argparse.Namespace, model: str, partitioner: str, leaf: str) -> str:
    command = [options.bin / "remat", "plan", model, "--budget", options.budget, "--solver", "hiremate", "--time-limit",
               str(options.time_limit), "--set", f"partitioner={partitioner}", "--set", f"leaf={leaf}", "--set", "rounds=0",
               "--json"]
    before = os.times()
    result = subprocess.run(command, capture_output=True, text=True)
    after = os.times()
    if result.returncode == 2:
        sys.exit(result.stderr)
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    plan = json.loads(result.stdout)
    return f"{100 * plan['overhead']:.2f} %, {seconds:.1f} s" if result.returncode == 0 else "no plan"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", help="traces; the four full samples when left out")
    parser.add_argument("--bin", type=Path, default=ROOT / "build" / "bin")
    parser.add_argument("--budget", default="60%")
    parser.add_argument("--time-limit", type=float, default=30)
    options = parser.parse_args()
    partitioners, leaves = choices(options.bin, "partitioner"), choices(options.bin, "leaf")
    for model in options.models or [str(ROOT / "resources" / "samples" / f"{name}.pt2") for name in SAMPLES]:
        print(f"\n| {Path(model).stem}, {options.budget} | " + " | ".join(partitioners) + " |")
        print("|---" * (len(partitioners) + 1) + "|")
        for leaf in leaves:
            print(f"| {leaf} | " + " | ".join(cell(options, model, p, leaf) for p in partitioners) + " |", flush=True)


if __name__ == "__main__":
    main()
