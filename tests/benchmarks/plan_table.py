#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The first table of results.md: every full sample at four budgets, as Markdown.

    tests/benchmarks/plan_table.py [--bin build/bin] [--solver hiremate] [--budgets 80% 50%] [--time-limit 60]
                                   [--threads 2] [MODEL ...]

Every plan is written to a file and passed through `remat check` again before its row is printed.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ["gpt2", "resnet50", "unet", "transformer"]
BUDGETS = ["80%", "60%", "50%", "40%"]


def remat(binaries: Path, *arguments: str) -> tuple[int, dict]:
    result = subprocess.run([binaries / "remat", *arguments, "--json"], capture_output=True, text=True)
    if result.returncode == 2:
        sys.exit(result.stderr)
    return result.returncode, json.loads(result.stdout)


def chen_point(binaries: Path, model: str) -> dict | None:
    """Chen's plan without a limit: its own peak and overhead."""
    code, plan = remat(binaries, "plan", model, "--solver", "chen-sqrt", "--budget", "100%")
    return plan if code == 0 else None


def row(binaries: Path, model: str, budget: str, options: argparse.Namespace) -> tuple[str, dict]:
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "plan.json")
        start = time.monotonic()
        code, plan = remat(binaries, "plan", model, "--budget", budget, "--solver", options.solver, "--chunk", "off",
                           "--time-limit", str(options.time_limit), "--threads", str(options.threads), "-o", file)
        seconds = time.monotonic() - start
        if code == 1:
            return f"| | {budget} | {plan['message']} | | | {seconds:.1f} | |", plan
        checked = remat(binaries, "check", model, file)[0] == 0
    peak = plan["peak_bytes"] / plan["keep_all_peak_bytes"]
    return (f"| | {budget} | {100 * peak:.2f} % | {100 * plan['overhead']:.2f} % "
            f"| {100 * plan['lower_bound_overhead']:.2f} % | {seconds:.1f} | {'yes' if checked else 'NO'} |"), plan


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", help="traces; the four full samples when left out")
    parser.add_argument("--bin", type=Path, default=ROOT / "build" / "bin")
    parser.add_argument("--solver", default="hiremate")
    parser.add_argument("--budgets", nargs="+", default=BUDGETS)
    parser.add_argument("--time-limit", type=float, default=60)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    models = options.models or [str(ROOT / "resources" / "samples" / f"{name}.pt2") for name in SAMPLES]

    print("| model | budget | peak | overhead | lower bound | seconds | checked |")
    print("|---|---|---|---|---|---|---|")
    for model in models:
        chen = chen_point(options.bin, model)
        note = ""
        if chen:
            share = chen["peak_bytes"] / chen["keep_all_peak_bytes"]
            note = f"Chen √n: {100 * share:.1f} % at {100 * chen['overhead']:.1f} %"
        print(f"| **{Path(model).stem}** | | | | | | {note} |", flush=True)
        for budget in options.budgets:
            print(row(options.bin, model, budget, options)[0], flush=True)


if __name__ == "__main__":
    main()
