#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What planning adds to the start of training: seconds of the first step of GPT-2 small, each in a process of its own.

Against torch.compile's aot_eager, which captures the same graphs: with an empty cache of plans, and with the plan in it.

    .venv/bin/python tests/benchmarks/train_start.py [--time-limit 10] [--layers 12] [--budget 70%]

*Allowed* is the time limit and two seconds. Exits with 1 where the second start does not take the plan from the cache.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "resources" / "python"), str(pathlib.Path(__file__).parent)]
os.environ.setdefault("REMAT_BIN", str(ROOT / "build" / "bin"))

ALLOWED_SECONDS = 2


def main():
    options = parser().parse_args()
    if options.backend:
        return first_step(options)
    with tempfile.TemporaryDirectory(prefix="remat-") as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        plain = started("aot_eager", options)["seconds"]
        print("| start | first step, s | over aot_eager, s | allowed | plan made in, s |\n|---|---|---|---|---|")
        print(f"| aot_eager | {plain:.1f} | | | |", flush=True)
        failed = False
        for name, is_cached, allowed in (
            ("no plan yet", False, options.time_limit + ALLOWED_SECONDS),
            ("plan in the cache", True, ALLOWED_SECONDS),
        ):
            said = started("remat", options)
            added = said["seconds"] - plain
            failed |= said["from_cache"] is not is_cached
            figures = f"{said['seconds']:.1f} | {added:.1f} | {allowed:g} | {said['planning_seconds']:.1f}"
            print(f"| {name} | {figures} |", flush=True)
    return 1 if failed else 0


def parser():
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--time-limit", type=float, default=10)
    made.add_argument("--layers", type=int, default=12)
    made.add_argument("--budget", default="70%")
    made.add_argument("--backend", choices=("aot_eager", "remat"), help="only this start, in this process; prints JSON")
    return made


def started(backend, options):
    """What a new process says of its first step."""
    command = [sys.executable, __file__, "--backend", backend, "--budget", options.budget]
    command += ["--time-limit", str(options.time_limit), "--layers", str(options.layers)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[-1])


def first_step(options):
    from train_cost import compiled, gpt2

    model, step = gpt2(options.layers, 768, 4, 256)
    own = {"budget": options.budget, "time_limit": options.time_limit} if options.backend == "remat" else {}
    begin = time.perf_counter()
    compiled(step, options.backend, **own)().backward()
    said = {"seconds": time.perf_counter() - begin}
    if own:
        from remat_studio.train import records

        said |= {key: records()[-1][key] for key in ("from_cache", "planning_seconds")}
    print(json.dumps(said))
    return 0


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    sys.exit(main())
