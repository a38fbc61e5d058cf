#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plans against PyTorch's own activation_memory_budget, at equal measured peak; prints a table.

PyTorch's partitioner runs with eager's kernels (backend aot_eager, min-cut partition) at each of its budgets, a share of
saved bytes. Its step is measured; then a plan is made whose step holds no more, and is measured as well: where there is none,
the one that holds least, and its peak is in brackets. Times are over PyTorch's own step that keeps everything, of the
fastest of some rounds in which all ways take turns. Models of timm are left out where it is not installed.

    .venv/bin/python tests/benchmarks/train_against_torch.py [--only gpt2,resnet18] [--budgets 0.75,0.5,0.25] [--rounds 10]
"""

import argparse
import importlib.util
import os
import pathlib
import sys
import tempfile
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "resources" / "python"), str(pathlib.Path(__file__).parent)]
os.environ.setdefault("REMAT_BIN", str(ROOT / "build" / "bin"))

import torch  # noqa: E402
from functorch.compile import min_cut_rematerialization_partition  # noqa: E402
from remat_studio.train import records, runner  # noqa: E402
from torch._dynamo.backends.common import aot_autograd  # noqa: E402
from torch._functorch import config  # noqa: E402
from train_measure import fastest, fresh, peak  # noqa: E402
from train_models import MODELS  # noqa: E402

MODELS_OF_THE_TABLE = ["gpt2", "llama", "bert", "opt", "squeezenet", "timm_convnext", "resnet18"]
MIB = 2**20


def main():
    options = parser().parse_args()
    cache = tempfile.TemporaryDirectory(prefix="remat-")
    os.environ["XDG_CACHE_HOME"] = cache.name
    print("| model | its budget | peak, MiB | its time | the plan's peak, MiB | the plan's time |")
    print("|---|---|---|---|---|---|")
    known = [name for name in MODELS_OF_THE_TABLE if "timm" not in name or importlib.util.find_spec("timm")]
    for name in options.only or known:
        for budget in options.budgets:
            print(f"| {name.replace('_', ' ')} | {budget} | {row(name, budget, options)} |", flush=True)


def parser():
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--only", type=lambda text: text.split(","), help="names of models, from train_models.py")
    made.add_argument("--budgets", type=lambda text: [float(part) for part in text.split(",")], default=[0.75, 0.5, 0.25])
    made.add_argument("--rounds", type=int, default=10)
    made.add_argument("--time-limit", type=float, default=5)
    return made


def row(name, budget, options):
    """Peaks and times of a model at one of PyTorch's budgets."""
    torch._dynamo.reset()  # once: what is compiled below is called again at the end
    torch.manual_seed(0)
    model, batch, loss = MODELS[name]()
    given = batch(0)

    def step():
        return loss(model, *given)

    keep = by_torch(model, step, 1.0)
    try:
        own = by_torch(model, step, budget)
    except RuntimeError as error:
        return f"its step fails: {str(error).split(':')[0]} | | | "
    own_peak = peak(own)
    model.zero_grad(set_to_none=True)
    plan, plan_peak = planned(model, step, own_peak, options.time_limit)
    held = f"{plan_peak / MIB:.2f}" if plan_peak <= own_peak else f"({plan_peak / MIB:.2f})"
    best = fastest({"keep": keep, "own": own, "plan": plan}, model, options.rounds)
    over = [f"{100 * (best[way] / best['keep'] - 1):+.1f} %" for way in ("own", "plan")]
    return f"{own_peak / MIB:.2f} | {over[0]} | {held} | {over[1]}"


def by_torch(model, step, budget):
    """The step with PyTorch's partitioner at its budget, compiled."""

    def backend(module, inputs):
        compiler = aot_autograd(fw_compiler=_as_is, partition_fn=min_cut_rematerialization_partition, decompositions={})
        return compiler(module, inputs)

    with config.patch(activation_memory_budget=budget, donated_buffer=False):
        return fresh(model, torch.compile(lambda: step(), backend=backend, fullgraph=True))


def _as_is(module, _inputs):
    """Frees what nobody reads any more, as a plan's graphs do; PyTorch's own runner holds all inputs to the end."""
    return runner.boxed(module, "step")


def planned(model, step, most, time_limit):
    """The step with a plan whose measured peak is at most ``most`` bytes, or is the least there is; and that peak."""
    budget = most
    for _ in range(4):
        own, is_least = with_plan(model, step, budget, time_limit)
        held = peak(own)
        model.zero_grad(set_to_none=True)
        if held <= most or is_least:
            return own, held
        budget = min(budget, records()[-1]["predicted"]["peak_bytes"]) - (held - most)
    return own, held


def with_plan(model, step, budget, time_limit):
    """The step under the budget, or with the least plan where none fits; and whether it is that."""
    options = {"budget": f"{budget}B", "time_limit": time_limit}
    made = fresh(model, torch.compile(lambda: step(), backend="remat", fullgraph=True, options=options))
    return made, records()[-1]["predicted"]["peak_bytes"] > budget


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    sys.exit(main())
