#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is lost of a plan on each way out of the program: what its file predicts, and what a step takes.

A model is traced and planned once; every form that runs here is written, imported and trained with for some steps, beside
the plan itself (backend "remat", every op where the plan has it) and the step that keeps everything. Peaks are the
allocator's beyond what the model holds (all graphs free what nobody reads any more), times are of the fastest of some
rounds in which all take turns; both in percent of keep-all.

    .venv/bin/python tests/benchmarks/export_routes.py [--only llama,gpt2] [--budget 60%] [--rounds 5]
"""

import argparse
import copy
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "resources" / "python"), str(pathlib.Path(__file__).parent)]
os.environ.setdefault("REMAT_BIN", str(ROOT / "build" / "bin"))

import remat_studio  # noqa: E402
import torch  # noqa: E402
from remat_studio.train import runner  # noqa: E402
from torch._dynamo.backends.common import aot_autograd  # noqa: E402
from torch._functorch.partitioners import default_partition  # noqa: E402
from train_measure import fastest, fresh, peak  # noqa: E402
from train_models import MODELS  # noqa: E402

REMAT = pathlib.Path(os.environ["REMAT_BIN"]) / "remat"
MODELS_OF_THE_TABLE = ["gpt2", "llama", "qwen2"]


def main():
    options = parser().parse_args()
    print("| model | way out | predicted peak | predicted time | peak | time |\n|---|---|---|---|---|---|")
    for name in options.only:
        with tempfile.TemporaryDirectory(prefix="remat-") as folder:
            rows(name, pathlib.Path(folder), options)


def parser():
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument(
        "--only",
        type=lambda text: text.split(","),
        default=MODELS_OF_THE_TABLE,
        help="names of models, from train_models.py",
    )
    made.add_argument("--budget", default="60%")
    made.add_argument("--rounds", type=int, default=5)
    made.add_argument("--time-limit", default="5")
    return made


def rows(name, folder, options):
    """Prints a row for each way out of the plan for a model."""
    torch._dynamo.reset()
    torch.manual_seed(0)
    model, batch, loss = MODELS[name]()
    given = batch(0)
    archive, plan = folder / "model.pt2", folder / "plan.json"
    trace(model, given, loss, archive)
    remat("plan", archive, "--budget", options.budget, "--time-limit", options.time_limit, "-o", plan)

    files = {form: written(archive, plan, form) for form in FORMS}
    steps = {"keep-all": lambda: loss(model, *given)}
    wrapped = torch.compile(steps["keep-all"], backend="remat", fullgraph=True, options={"budget": options.budget})
    steps["the plan itself"] = fresh(model, wrapped)
    for form, make in FORMS.items():
        steps[form] = fresh(model, make(files[form], model, loss, given))
    held = {}
    for way, step in steps.items():
        held[way] = peak(step)
        model.zero_grad(set_to_none=True)
    best = fastest(steps, model, options.rounds)
    predicted = {"the plan itself": files["inductor-partitioner"]["PREDICTED"]["plan"]}
    predicted |= {form: file["PREDICTED"]["here"] for form, file in files.items()}
    all_kept = files["inductor-partitioner"]["PREDICTED"]["keep_all"]
    for way, said in predicted.items():
        figures = (
            said["peak_bytes"] / all_kept["peak_bytes"],
            1 + said["overhead"],
            held[way] / held["keep-all"],
            best[way] / best["keep-all"],
        )
        percents = " | ".join(f"{100 * figure:.1f} %" for figure in figures)
        print(f"| {name.replace('_', ' ')} | {way} | {percents} |", flush=True)


def trace(model, given, loss, archive):
    """Parts of the step that ``loss`` makes of the model: the call in it, and what it does with the output."""
    calls = []

    def listening(*args, **kwargs):
        calls.append(kwargs or args)
        return model(*args, **kwargs)

    with torch.no_grad():
        loss(listening, *given)
    own = copy.deepcopy(model)
    remat_studio.trace(own, calls[0], lambda output: loss(lambda *_, **__: output, *given), archive, target="cpu")


def remat(*arguments):
    """What it says."""
    command = [REMAT, *map(str, arguments)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def written(archive, plan, form):
    """What the form's file defines."""
    module = {"__name__": form}
    exec(compile(remat("export", archive, plan, "--as", form, "-o", "-"), form, "exec"), module)
    return module


def _partitioned(choose):
    """The step by AOTAutograd with eager's kernels, cut by the file's partition."""

    def make(module, model, loss, given):
        run = lambda graph, _: runner.boxed(graph, "step")  # noqa: E731
        backend = aot_autograd(fw_compiler=run, bw_compiler=run, partition_fn=choose(module), decompositions={})
        return torch.compile(lambda: loss(model, *given), backend=backend, fullgraph=True)

    return make


def _by_inductors(module):
    return lambda graph, inputs, **options: module["Partitioner"]()(graph, inputs, compiler="inductor", **options)


def _by_torchtitans(module):
    return lambda graph, inputs, **options: default_partition(module["policy"](graph), inputs, **options)


def _applied(module, model, loss, given):
    """The step in eager mode, with modules that the file wraps; they share their parameters with the model."""
    own = copy.deepcopy(model)
    for name, parameter in model.named_parameters():
        own.get_submodule(name.rpartition(".")[0])._parameters[name.rpartition(".")[2]] = parameter
    own = module["apply"](own)
    return lambda: loss(own, *given)


FORMS = {
    "inductor-partitioner": _partitioned(_by_inductors),
    "torchtitan-policy": _partitioned(_by_torchtitans),
    "sac-policy": _applied,
    "torch-remat": _applied,
}


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    sys.exit(main())
