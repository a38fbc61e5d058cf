#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The smallest budgets that plans were found for, with ops whole and in chunks, of the samples, as a Markdown table.

    .venv/bin/python tests/benchmarks/chunk_smallest.py [--only tiny_gpt2,unet] [--time-limit 3] [--bin build/bin]

Budgets are halved between what was found and what was not, to one percent of the keep-all peak. *Floor* is what no
plan, and no plan of any chunking of the table, can be below. Plans pass the checker in `remat plan`. Times are added to
keep-all's with ops whole.
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
    parser.add_argument("--bin", type=pathlib.Path, default=_ROOT / "build" / "bin", help="where remat is")
    options = parser.parse_args()
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


def _smallest(options, trace, chunk, lowest):
    """The plan with the least budget, in percent, that one was found for."""
    highest, best = 100.0, None
    while highest - lowest > 1 or best is None:
        budget = (lowest + highest) / 2 if best else 100.0
        plan = _remat(options, "plan", trace, "--budget", f"{budget:.2f}%", "--chunk", chunk)
        if "peak_bytes" in plan:
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
