#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Predicted and measured time of a step on this machine's CPU: a fresh profile, then the plan and keep-all by turns.

    python3 tests/benchmarks/step_time.py [SAMPLE ...] [--budget 60%] [--rounds 3] [--repeats 5] [--bin build/bin]

Each round profiles the sample, plans with that profile, and validates the plan; a row has the median of the rounds and,
after ±, half of the distance between the smallest and the largest. *Off* is measured over predicted. What each
validation found, and the seconds it took, go to standard error. Run it alone.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ["resnet50", "transformer", "unet", "gpt2"]


def main():
    options = parser().parse_args()
    print("| sample | keep-all predicted, s | measured, s | off | plan predicted, s | measured, s | off |")
    print("|---|---|---|---|---|---|---|")
    for sample in options.samples or SAMPLES:
        rounds = [measured(sample, options) for _ in range(options.rounds)]
        cells = []
        for which in ("keep_all", "plan"):
            predicted, taken = ([row[f"{which}_{what}"] / 1e6 for row in rounds] for what in ("predicted", "measured"))
            off = statistics.median(taken) / statistics.median(predicted) - 1
            cells += [spread(predicted), spread(taken), f"{100 * off:+.1f} %"]
        print(f"| {sample} | {' | '.join(cells)} |", flush=True)


def parser():
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("samples", nargs="*", metavar="SAMPLE", help="default: the four full ones")
    made.add_argument("--budget", default="60%")
    made.add_argument("--rounds", type=int, default=3)
    made.add_argument("--repeats", type=int, default=5, help="steps that a profile times, at most")
    made.add_argument("--solver", default="search")
    made.add_argument("--bin", type=pathlib.Path, default=ROOT / "build" / "bin")
    return made


def measured(sample, options):
    """Predicted and measured µs of keep-all and of a plan, in one round."""
    model = str(ROOT / "resources" / "samples" / f"{sample}.pt2")
    with tempfile.TemporaryDirectory(prefix="remat-") as folder:
        profile, plan = (str(pathlib.Path(folder) / name) for name in ("profile.json", "plan.json"))
        remat(options, "profile", model, "--repeats", str(options.repeats), "-o", profile)
        step, ops = step_and_ops(profile)
        costs = ["--profile", profile]
        remat(options, "plan", model, *costs, "--budget", options.budget, "--solver", options.solver, "-o", plan)
        predicted = json.loads(pathlib.Path(plan).read_text())["predicted"]
        begin = time.monotonic()
        record = json.loads(remat(options, "validate", model, plan, *costs, "--json"))
        seconds = time.monotonic() - begin
    print(f"{sample}: step {step}, ops {ops}; validated in {seconds:.0f} s: {record['sentence']}", file=sys.stderr)
    return {
        "keep_all_predicted": predicted["keep_all_time_us"],
        "keep_all_measured": record["measured_keep_all_time_us"],
        "plan_predicted": predicted["time_us"],
        "plan_measured": record["measured_time_us"],
    }


def step_and_ops(profile):
    """What the profile says of whole steps, and the sum of its ops, in seconds."""
    read = json.loads(pathlib.Path(profile).read_text())
    step = read["step"]
    seconds = sum(op["time_us"] for op in read["ops"]) / 1e6
    return f"{step['time_us'] / 1e6:.3f} s (quartiles {step['spread_us'] / 1e6:.3f} apart)", f"{seconds:.3f} s"


def remat(options, *arguments):
    """What the command prints; a peak over the budget is no failure here."""
    done = subprocess.run([options.bin / "remat", *arguments], capture_output=True, text=True)
    if done.returncode not in (0, 1) or not done.stdout and arguments[0] == "validate":
        sys.exit(f"remat {' '.join(arguments)}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def spread(seconds):
    """`1.234 ± 0.005`."""
    return f"{statistics.median(seconds):.3f} ± {(max(seconds) - min(seconds)) / 2:.3f}"


if __name__ == "__main__":
    main()
