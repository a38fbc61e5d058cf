#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Steps whose head and loss run in chunks, through `remat validate` and through training, as a table.

Of each model and dtype a plan in chunks is run by `remat validate` against keep-all of the same chunked graph, bit
for bit, and against the step without chunks. *Peak* is measured over predicted, by the costs of a device by name; *here*
is the same of the trace in chunks, planned with workspaces that were measured on this machine before. Sums over chunks differ by the order
of additions: *apart* is in units of the last place of a tensor's largest entry, and *explained* are 8 for each chunk.
Then three copies train with AdamW: with the plan, with keep-all of the same chunks, and plainly, from which the
losses are *apart* by a share. *Held* is the measured peak between ops, *allowed* the budget, or the least peak found
where no plan fits it, and what is known to lie beside the plan.

    .venv/bin/python tests/benchmarks/chunk_equal.py [--only gpt2,llama] [--steps 20] [--budget 60%] [--chunk head=4]

Exits with 1 where a plan differs from keep-all, is further from plain than explained, or holds more than allowed, and
where a peak with measured workspaces is more than 1 % off.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "resources" / "python"), str(ROOT / "tests" / "python"), str(pathlib.Path(__file__).parent)]
os.environ.setdefault("REMAT_BIN", str(ROOT / "build" / "bin"))

import remat_studio  # noqa: E402
import torch  # noqa: E402
from remat_studio.train import records  # noqa: E402
from train_equal import OPTIMIZERS, differences, values  # noqa: E402
from train_models import MODELS  # noqa: E402
from training import compiled, train  # noqa: E402

NAMES = ["gpt2", "gpt2_dropout", "llama", "qwen2", "opt", "t5", "bert", "distilbert", "lora_gpt2", "vit"]
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}


def main():
    options = parser().parse_args()
    print("| model | dtype | gradients equal | peak | here | apart, explained | training equal | loss apart | held, allowed |")
    print("|---|---|---|---|---|---|---|---|---|")
    failed = 0
    with tempfile.TemporaryDirectory(prefix="remat-") as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        for name in options.only or NAMES:
            chunk = chunk_of(name, options)
            for dtype in options.dtypes:
                validated, is_valid = validate(name, DTYPES[dtype], options.budget, chunk, pathlib.Path(folder))
                trained, is_equal = trains(name, DTYPES[dtype], chunk, options)
                failed += not (is_valid and is_equal)
                print(f"| {name.replace('_', ' ')} | {dtype} | {validated} | {trained} |", flush=True)
    return 1 if failed else 0


def parser():
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--only", type=lambda text: text.split(","), help="names of models, from train_models.py")
    made.add_argument("--dtypes", type=lambda text: text.split(","), default=list(DTYPES))
    made.add_argument("--steps", type=int, default=20)
    made.add_argument("--budget", default="60%", help="of each; in training, where it cannot be met, the least found")
    made.add_argument("--chunk", help="of each; left out: the head with its loss in 4, and of ViT, with ten classes, GELU")
    return made


def chunk_of(name, options):
    return options.chunk or ("gelu=4" if name == "vit" else "head=4")


def made_in(name, dtype):
    torch.manual_seed(0)
    model, batch, loss = MODELS[name]()
    floats = lambda given: [x.to(dtype) if x.is_floating_point() else x for x in given]  # noqa: E731
    return model.to(dtype), lambda seed: tuple(floats(batch(seed))), loss


class Step(torch.nn.Module):
    """Gives the loss of a model for a batch."""

    def __init__(self, model, loss):
        super().__init__()
        self.model, self.loss = model, loss

    def forward(self, *batch):
        return self.loss(self.model, *batch)


def remat(*arguments):
    """What the command prints, also where its answer is no."""
    command = [pathlib.Path(os.environ["REMAT_BIN"]) / "remat", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 2 or not done.stdout:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr}")
    return done.stdout


def validate(name, dtype, budget, chunk, folder):
    """Four cells, and whether both runs passed within what sums, and one percent, explain."""
    model, batch, loss = made_in(name, dtype)
    trace, plan = folder / "step.pt2", folder / "plan.json"
    remat_studio.trace(Step(model, loss), batch(0), lambda value: value, trace, compare="never")
    run = validated(trace, plan, budget, "--chunk", chunk)
    cut = folder / "cut.pt2"
    remat("chunk", trace, "--by", chunk, "-o", cut)
    here = validated(cut, plan, budget, "--device", "here")
    chunks = run["chunks"] or {}
    equal = all(one["loss_equal"] and one["gradients_equal"] == one["gradients"] for one in (run, here))
    peak, peak_here = (one["measured_peak_bytes"] / one["predicted_peak_bytes"] for one in (run, here))
    apart = f"{chunks.get('largest_units', float('nan')):.2f}, {chunks.get('allowed_units', 0):.0f}"
    gradients = f"{run['gradients_equal']} of {run['gradients']}"
    is_valid = equal and bool(chunks.get("near")) and abs(peak_here - 1) <= 0.01
    return f"{gradients} | {peak:.3f} | {peak_here:.3f} | {apart}", is_valid


def validated(trace, plan, budget, *flags):
    """What a run of a plan within the budget comes to, or within the first larger one that has a plan."""
    plan.unlink(missing_ok=True)
    for wanted in (budget, "80%", "90%", "100%"):
        remat("plan", trace, *flags, "--budget", wanted, "--time-limit", 2, "-o", plan)
        if plan.exists():
            break
    return json.loads(remat("validate", trace, plan, "--json"))


def trains(name, dtype, chunk, options):
    """Three cells, and whether the plan's steps are those of keep-all and within the predicted memory."""
    model, batch, loss = made_in(name, dtype)
    inputs = [batch(seed) for seed in range(options.steps)]

    def run(wrap=None):
        torch._dynamo.reset()
        return train(model, inputs, wrap, loss, OPTIMIZERS["AdamW"])

    plain = run()
    kept = run(lambda step: compiled(step, "100%", chunk=chunk))
    own = run(lambda step: compiled(step, options.budget, chunk=chunk, verify=True))
    record = records()[-1]
    different = differences(own, kept)
    apart = max(((a - b).abs() / b.abs()).item() for a, b in zip(own.losses, plain.losses, strict=True))
    certificate = record["certificate"]
    least = record["predicted"]["peak_bytes"]  # above the budget where no plan fits it
    allowed = max(certificate["budget_bytes"], least) + certificate["outside_bytes"]
    between = certificate["measured"]["peak_between_ops_bytes"]
    equal = f"{len(values(own)) - len(different)} of {len(values(own))}"
    held = f"{between / 2**20:.2f}, {allowed / 2**20:.2f} MiB"
    return f"{equal} | {apart:.1e} | {held}", not different and between <= allowed


if __name__ == "__main__":
    sys.exit(main())
