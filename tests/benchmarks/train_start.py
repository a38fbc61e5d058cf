#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What planning adds to the start of training: the first three steps of a process, of steps in one graph and in parts.

Against torch.compile's aot_eager, which captures the same graphs: with an empty cache of plans, and with the plans in it.
Processor time is what other work on the machine changes little; planners run in processes of their own, and count.

    .venv/bin/python tests/benchmarks/train_start.py [--steps gpt2,parts,whisper] [--time-limit 10] [--budget 70%]

`gpt2` is GPT-2 small; in `parts` Dynamo breaks a smaller one before its loss, and `whisper` into four graphs. Exits with
1 where a second start does not take all plans from the cache, or a start takes over twice aot_eager's processor time.
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

MOST_TIMES = 2


def main():
    options = parser().parse_args()
    if options.backend:
        return first_steps(options)
    failed = False
    print("| step | start | three steps, s | times | processor, s | of these planners | times | plans |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for step in options.steps.split(","):
        with tempfile.TemporaryDirectory(prefix="remat-") as cache:
            os.environ["XDG_CACHE_HOME"] = cache
            plain = started(step, "aot_eager", options)
            print(f"| {step} | aot_eager | {plain['seconds']:.1f} | | {plain['processor']:.1f} | | | |", flush=True)
            for name in ("no plan yet", "plans in the cache"):
                said = started(step, "remat", options)
                times, by_clock = (said[key] / plain[key] for key in ("processor", "seconds"))
                failed |= times > MOST_TIMES or (name == "plans in the cache" and said["made"] > 0)
                clock = f"{said['seconds']:.1f} | {by_clock:.2f}"
                processor = f"{said['processor']:.1f} | {said['planners']:.1f} | {times:.2f}"
                plans = f"{said['made']} of {said['plans']} made"
                print(f"| {step} | {name} | {clock} | {processor} | {plans} |", flush=True)
    return 1 if failed else 0


def parser():
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--steps", default="gpt2,parts,whisper", help="names with commas")
    made.add_argument("--time-limit", type=float, default=10)
    made.add_argument("--layers", type=int, default=12, help="of gpt2")
    made.add_argument("--budget", default="70%")
    made.add_argument("--backend", choices=("aot_eager", "remat"), help="only this start, in this process; prints JSON")
    return made


def started(step, backend, options):
    """What a new process says of its first steps."""
    command = [sys.executable, __file__, "--backend", backend, "--budget", options.budget, "--steps", step]
    command += ["--time-limit", str(options.time_limit), "--layers", str(options.layers)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[-1])


def first_steps(options):
    import torch
    from train_cost import gpt2

    if options.steps == "gpt2":
        _, step = gpt2(options.layers, 768, 4, 256)
    else:
        step = {"parts": broken_before_the_loss, "whisper": whisper}[options.steps]()
    own = {"budget": options.budget, "time_limit": options.time_limit} if options.backend == "remat" else {}
    begin, processor = time.perf_counter(), sum(os.times()[:4])
    run = torch.compile(step, backend=options.backend, **({"options": own} if own else {}))
    for _ in range(3):
        run().backward()
    said = {"seconds": time.perf_counter() - begin, "processor": sum(os.times()[:4]) - processor}
    said["planners"] = sum(os.times()[2:4])
    if own:
        from remat_studio.train import records

        said |= {"plans": len(records()), "made": sum(not record["from_cache"] for record in records())}
    print(json.dumps(said))
    return 0


def broken_before_the_loss():
    import torch
    from train_cost import gpt2

    model, _ = gpt2(4, 256, 4, 128)
    ids = torch.randint(0, 1000, (4, 128))

    def step():
        logits = model(ids).logits
        torch._dynamo.graph_break()
        return torch.nn.functional.cross_entropy(logits.flatten(0, 1), ids.flatten())

    return step


def whisper():
    import deviation_models

    model, args = deviation_models.whisper()
    return lambda: model(**args).loss


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    sys.exit(main())
