#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The smallest budgets that plans were found for, with ops whole and in chunks, of the samples, as a Markdown table.

    .venv/bin/python tests/benchmarks/chunk_smallest.py [--only tiny_gpt2,unet] [--time-limit 3] [--bin build/bin]

Budgets are halved between what was found and what was not, to one percent of the keep-all peak. *Floor* is what no
plan, and no plan of any chunking of the table, can be below. Plans pass the checker in `remat plan`. Times are added to
keep-all's with ops whole.

With `--one-forward` plans may add as much time as one forward pass takes, as in figure 6 of Checkmate, and the table
says how many times the batch fits in the memory of keep-all, at least: keep-all's peak over the plan's. Gradients of
weights do not grow with the batch, so that a little more does.
"""

import argparse
import json
import pathlib
import subprocess
import sys

_ROOT = pathlib.Path(__file__).resolve().parents[2]
_SAMPLES = _ROOT / "resources" / "samples"
_NAMES = ["tiny_gpt2", "tiny_resnet", "tiny_transformer", "tiny_unet", "gpt2", "resnet50", "transformer", "unet"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", type=lambda text: text.split(","), default=_NAMES)
    parser.add_argument("--time-limit", type=float, default=3, help="seconds a plan")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--one-forward", action="store_true", help="with at most a forward pass of added time")
    parser.add_argument("--bin", type=pathlib.Path, default=_ROOT / "build" / "bin", help="where remat is")
    options = parser.parse_args()
    if options.one_forward:
        return _print_batches(options)
    print("| sample | whole: floor | smallest | added time | in chunks: floor | smallest | added time | chunks |")
    print("|---|---|---|---|---|---|---|---|")
    for name in options.only:
        trace = _SAMPLES / f"{name}.pt2"
        info = _remat(options, "info", trace)
        peak = info["keep_all"]["peak_bytes"]
        cells = []
        for chunk in ("off", "auto"):
            floor = info["working_set"]["bytes"]
            if chunk == "auto" and info.get("chunks"):
                floor = info["chunks"]["least_floor_bytes"]
            found = _smallest(options, trace, chunk, 100 * floor / peak)
            cells += [f"{100 * floor / peak:.1f} %", f"{100 * found['peak_bytes'] / peak:.1f} %"]
            cells.append(f"{100 * found['overhead']:.1f} %")
        print(f"| {name} | {' | '.join(cells)} | {found.get('chunks', 'none')} |", flush=True)


def _print_batches(options):
    columns = [f"{way}: smallest | batch | added time" for way in ("whole", "in chunks")]
    print(f"| sample | forward | {' | '.join(columns)} | chunks |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name in options.only:
        trace = _SAMPLES / f"{name}.pt2"
        info = _remat(options, "info", trace)
        peak = info["keep_all"]["peak_bytes"]
        times = _remat(options, "costs", trace)["time_us"]
        found = [_remat(options, "find", trace, f"phase:{part}")["ops"] for part in ("forward", "loss")]
        forward = sum(times[op["op"]] for ops in found for op in ops) / sum(times.values())
        cells = [f"{100 * forward:.1f} %"]
        for chunk in ("off", "auto"):
            floor = info["working_set"]["bytes"] if chunk == "off" or not info.get("chunks") else 0
            found = _smallest(options, trace, chunk, 100 * floor / peak, forward)
            own = found["peak_bytes"]
            cells += [f"{100 * own / peak:.1f} %", f"{peak / own:.1f} times"]
            cells.append(f"{100 * found['overhead']:.1f} %")
        print(f"| {name} | {' | '.join(cells)} | {found.get('chunks', 'none')} |", flush=True)


def _smallest(options, trace, chunk, lowest, most_added=float("inf")):
    """The plan with the least budget, in percent, that one was found for which adds no more than this share."""
    highest, best = 100.0, None
    while highest - lowest > 1 or best is None:
        budget = (lowest + highest) / 2 if best else 100.0
        plan = _remat(options, "plan", trace, "--budget", f"{budget:.2f}%", "--chunk", chunk)
        if "peak_bytes" in plan and plan["overhead"] <= most_added:
            highest, best = min(budget, 100 * plan["peak_bytes"] / plan["keep_all_peak_bytes"]), plan
        else:
            lowest = budget
    return best


def _remat(options, command, trace, *arguments):
    limits = ["--time-limit", options.time_limit, "--threads", options.threads] if command == "plan" else []
    call = [options.bin / "remat", command, trace, *arguments, *limits, "--json"]
    done = subprocess.run([*map(str, call)], capture_output=True, text=True)
    if done.returncode > 1 or not done.stdout:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


if __name__ == "__main__":
    main()
