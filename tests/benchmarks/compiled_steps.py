#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces and compiled steps of 62 models against plain PyTorch: equal bits, or the cause of a difference; prints a table.

Each model runs in a process of its own, on the CPU with real numbers. `trace` holds the traced graph against one step of
plain PyTorch. The other columns are one step under `torch.compile(backend="remat")` at each budget: whether it has the
bits of keep-all of its graph and of plain PyTorch, and what it held of what plain PyTorch holds. A cause comes with the
largest relative difference; *least* is the least plan that was found, where none meets the budget. Dynamo may capture
another program than eager mode runs: *of captured* is what the first budget held of what eager mode holds on that very
program. Steps in several graphs are measured once they are planned no more. With ``--peer`` one more column has that of `aot_eager` that keeps all (its default partitioner).

    .venv/bin/python tests/benchmarks/compiled_steps.py [--only gpt2,llama] [--budgets 100%,60%] [--peer]

Exits with 1 where a row ends in a difference without a cause.
"""

import argparse
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / folder) for folder in ("resources/python", "resources/samples", "tests/benchmarks")]
os.environ.setdefault("REMAT_BIN", str(ROOT / "build" / "bin"))
STEPS = 12  # until a step in several graphs is planned no more
RIGHT = ("equal", "dropout", "order of a sum", "oneDNN", "rounding", "does not")


def main():
    options = parser().parse_args()
    if options.one:
        return one(options.one, options.budgets, options.peer)
    from deviation_models import MODELS

    peer = " of captured |" + (" of aot_eager |" if options.peer else "")
    print("| model | trace |" + "".join(f" compiled, {budget} | held |" for budget in options.budgets) + peer)
    print("|---|---|" + "---|---|" * len(options.budgets) + "---|" * (1 + options.peer))
    wrong = 0
    for name in options.only or MODELS:
        command = [sys.executable, __file__, "--one", name, "--budgets", ",".join(options.budgets)]
        command += ["--peer"] * options.peer
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=options.seconds)
            lines = done.stdout.splitlines()
            cells = json.loads(lines[-1]) if lines else [(done.stderr.splitlines() or ["died"])[-1]]
        except subprocess.TimeoutExpired:
            cells = [f"more than {options.seconds} s"]
        print(f"| {name.replace('_', ' ')} | " + " | ".join(cells) + " |", flush=True)
        wrong += not all(any(word in cell for word in RIGHT) for cell in [cells[0], *cells[1 : 2 * len(options.budgets) : 2]])
    return 1 if wrong else 0


def parser():
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--only", type=lambda text: text.split(","), help="names of models, from deviation_models.py")
    made.add_argument("--budgets", type=lambda text: text.split(","), default=["100%", "60%"])
    made.add_argument("--seconds", type=int, default=900, help="for one model")
    made.add_argument("--peer", action="store_true", help="one more column, of what aot_eager holds")
    made.add_argument("--one", help=argparse.SUPPRESS)
    return made


def one(name, budgets, peer):
    """Print the cells of a model as JSON."""
    import remat_studio
    import torch

    warnings.filterwarnings("ignore")
    with tempfile.TemporaryDirectory(prefix="remat-") as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        try:
            remat_studio.trace(*made(name), f"{folder}/model.pt2", compare="always")
            cells = [said(comparison_in(f"{folder}/model.pt2"))]
        except remat_studio.TraceError as error:
            cells = [f"refused: {error}"]
        taken = []
        for budget in budgets:
            torch._dynamo.reset()
            *more, held_bytes = compiled(name, budget)
            cells += more
            taken.append(held_bytes)
        for backend in ["eager", "aot_eager_default_partitioner"][: 1 + peer]:
            cells.append(f"{100 * taken[0] / held_under(backend, name):.1f} %" if taken[0] else "")
    print(json.dumps(cells))
    return 0


def made(name):
    """Model, arguments and loss function, the same at each call."""
    import deviation_models
    import torch

    torch.manual_seed(0)
    model, args, *loss = getattr(deviation_models, name)()
    return model, args, loss[0] if loss else None


def comparison_in(path):
    """The record that a trace has of one step of plain PyTorch."""
    import zipfile

    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read("archive/extra/remat_comparison.json"))


def compiled(name, budget):
    """What a compiled step comes to, what it held in percent of plain PyTorch, and in bytes."""
    import remat_studio

    step, given, _ = step_of(name)
    try:
        found = remat_studio.certify(step, *given, budget=budget, time_limit=2)
    except Exception as error:
        return [f"refused: {(str(error).splitlines() or [type(error).__name__])[0][:200]}", "", 0]
    certificates = [record["certificate"] for record in found]
    wrong = [c["different"] for c in certificates if c["different"]]
    cells = list(dict.fromkeys(said(c["pytorch"]) for c in certificates)) or ["ran without a plan"]
    cell = "; ".join(cells) + (f"; in {len(found)} graphs" if len(found) > 1 else "")
    if wrong:
        cell = f"PLAN DIFFERS FROM ITS GRAPH in {wrong[0][:3]}"
    is_whole = len(found) == 1 and "as a whole" not in certificates[0]["pytorch"]["why"]
    if is_whole:
        return [cell, held(certificates[0]), certificates[0]["measured"]["peak_bytes"]]
    whole = next((c["pytorch"] for c in certificates if "peak_bytes" in c["pytorch"]), None)
    if whole is None:
        return [cell, "in parts", 0]
    taken = held_when_planned(name, budget)
    return [cell, f"{100 * taken / whole['peak_bytes']:.1f} % in parts", taken]


def step_of(name):
    """The step of a model as a function, its arguments, and the model."""
    model, args, loss_fn = made(name)
    kwargs = args if isinstance(args, dict) else {}

    def step(*given):
        return loss_of(model(*given, **kwargs), loss_fn)

    return step, () if kwargs else args, model


def held_under(backend, name):
    """The most bytes that the step holds under a backend that keeps all; under `eager` autograd runs what Dynamo captured."""
    return held_after(1, name, backend=backend)


def held_when_planned(name, budget):
    """The most bytes that a step in several graphs holds when it has been planned as often as it may be."""
    return held_after(STEPS, name, backend="remat", options={"budget": budget, "time_limit": 2})


def held_after(steps, name, **compiled):
    """The most bytes that the step holds after so many, compiled so."""
    import torch
    from remat_studio.comparison.held import measured

    torch._dynamo.reset()
    step, given, model = step_of(name)
    step = torch.compile(step, **compiled)
    found = []
    for within in [contextlib.nullcontext()] * steps + [measured(found)]:
        torch.manual_seed(0)
        with within:
            step(*given).backward()
        model.zero_grad(set_to_none=True)
    return found[0]


def loss_of(output, loss_fn):
    """The loss as the trace takes it: by its function, by name, or the mean of squares."""
    if loss_fn is not None:
        return loss_fn(output)
    loss = getattr(output, "loss", None)
    if loss is not None:
        return loss
    return output.square().mean() if output.dim() else output


def said(record):
    """A verdict with its cause and size."""
    unequal = [row for row in record["tensors"] if not row["equal"]]
    most = max((row["relative"] for row in unequal), default=0.0)
    if record["verdict"] == "explained":
        return f"{' and '.join(dict.fromkeys(row['explained_by'] for row in unequal))}, {most:.0e}"
    return "equal" if record["verdict"] == "equal" else f"{record['verdict'].upper()}: {record['why']}"


def held(certificate):
    """The step's peak at the allocator in percent of plain PyTorch's, and its budget where that is not kept."""
    plain = certificate["pytorch"].get("peak_bytes")
    if not plain:
        return ""
    measured = certificate["measured"]["peak_bytes"]
    planned = certificate["predicted"]["peak_bytes"]
    is_least = planned > certificate["budget_bytes"]
    over = measured - max(planned, certificate["budget_bytes"]) - certificate["outside_bytes"]
    note = (", least" if is_least else "") + (f", {over:,} B over" if over > 0 else "")
    return f"{100 * measured / plain:.1f} %{note}"


if __name__ == "__main__":
    sys.exit(main())
