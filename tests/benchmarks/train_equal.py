#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Training with a plan against keep-all of the same graph and against plain PyTorch: bits and peaks, as a table.

Of each model and optimizer, steps of training give losses, parameters and buffers; each column says how many of them differ
in any bit. Peaks are the allocator's, of the first step: *held* at any time, *between* ops, so without workspaces of kernels.
*Allowed* is the budget and what is known to lie beside the plan.

    .venv/bin/python tests/benchmarks/train_equal.py [--only gpt2,resnet18] [--steps 20] [--budget 60%]

Models of timm are left out where it is not installed. Exits with 1 where the plan differs from keep-all or holds more between ops than is allowed.
"""

import argparse
import importlib.util
import os
import pathlib
import sys
import tempfile
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "resources" / "python"), str(ROOT / "tests" / "python"), str(pathlib.Path(__file__).parent)]
os.environ.setdefault("REMAT_BIN", str(ROOT / "build" / "bin"))

import torch  # noqa: E402
from remat_studio.train import records  # noqa: E402
from train_models import MODELS  # noqa: E402
from training import compiled, train  # noqa: E402

OPTIMIZERS = {
    "SGD-momentum": lambda parameters: torch.optim.SGD(parameters, 0.01, momentum=0.9),
    "AdamW": lambda parameters: torch.optim.AdamW(parameters, 1e-3),
}


def main():
    options = parser().parse_args()
    names = options.only or [n for n in MODELS if not n.startswith("timm") or importlib.util.find_spec("timm")]
    print("| model | optimizer | differ from keep-all | differ from plain | budget | allowed, MiB | between | held | keep-all |")
    print("|---|---|---|---|---|---|---|---|---|")
    failed = 0
    with tempfile.TemporaryDirectory(prefix="remat-") as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        for name in names:
            for optimizer, make in OPTIMIZERS.items():
                row, is_right = compare(name, make, options)
                failed += not is_right
                print(f"| {name.replace('_', ' ')} | {optimizer} | {row}", flush=True)
    return 1 if failed else 0


def parser():
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--only", type=lambda text: text.split(","), help="names of models, from train_models.py")
    made.add_argument("--steps", type=int, default=20)
    made.add_argument("--budget", default="60%", help="of each; where it cannot be met, the least that is found")
    return made


def compare(name, optimizer, options):
    """The row of a model from its third column on, and whether it is equal to keep-all and within its budget."""
    torch.manual_seed(0)
    model, batch, loss = MODELS[name]()
    inputs = [batch(seed) for seed in range(options.steps)]

    def run(wrap=None):
        torch._dynamo.reset()
        return train(model, inputs, wrap, loss, optimizer)

    plain = run()
    kept = run(lambda step: compiled(step, "100%"))
    own, budget = planned(run, options.budget)
    certificate = records()[-1]["certificate"]
    measured = certificate["measured"]
    allowed = certificate["budget_bytes"] + certificate["outside_bytes"]
    between = measured["peak_between_ops_bytes"]
    is_right = not differences(own, kept) and between <= allowed
    held = allowed, between, measured["peak_bytes"], measured["plain"]["peak_bytes"]
    mib = " | ".join(f"{value / 2**20:.2f}" for value in held)
    return f"{of(own, kept)} | {of(own, plain)} | {budget} | {mib} |", is_right


def planned(run, budget):
    """A run under the budget, or with the least plan where none fits; and which."""
    made = run(lambda step: compiled(step, budget, verify=True))
    record = records()[-1]
    least = record["predicted"]["peak_bytes"]
    return made, budget if least <= record["budget_bytes"] else f"{least} B"


def values(run):
    """All that is compared, by name."""
    return {**{f"loss {number}": loss for number, loss in enumerate(run.losses)}, **run.state, **named(run.gradients)}


def named(gradients):
    """The gradients of the last step that there are."""
    return {f"gradient of {name}": value for name, value in gradients.items() if value is not None}


def differences(run, expected):
    """Names of what differs in any bit."""
    own, wanted = values(run), values(expected)
    assert own.keys() == wanted.keys()
    return [name for name, value in own.items() if not torch.equal(value, wanted[name])]


def of(run, expected):
    """`0 of 35`, and by how much where there are some."""
    own, wanted = values(run), values(expected)
    found = differences(run, expected)
    most = max((float((own[name] - wanted[name]).abs().max()) for name in found), default=0)
    return f"{len(found)} of {len(own)}" + (f", at most {most:.1e}" if found else "")


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    sys.exit(main())
