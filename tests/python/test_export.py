# SPDX-License-Identifier: Apache-2.0
"""`remat export --as python` writes code that computes what the trace computes, in the memory the plan promises."""

import copy
import functools
import json
import os
import pathlib
import re
import subprocess

import pytest
import remat_studio
import torch
from conftest import ROOT
from support import loaded
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten

REMAT = pathlib.Path(os.environ.get("REMAT_BIN", ROOT / "build" / "bin")) / "remat"
TRACES = [ROOT / "tests" / "data" / "traces", ROOT / "resources" / "samples"]
QUICK = ["--time-limit", "0.5", "--threads", "1"]
TINY = ["tiny_gpt2", "tiny_resnet", "tiny_unet", "tiny_transformer"]

pytestmark = pytest.mark.skipif(not REMAT.exists(), reason="the command line is not built")


def remat(*arguments):
    done = subprocess.run([REMAT, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def trace_of(sample):
    """That of the CPU where there is one, which runs here."""
    return next(folder / f"{sample}.pt2" for folder in TRACES if (folder / f"{sample}.pt2").exists())


def exported(sample, folder, *arguments):
    """The module that a plan of a sample becomes, and the plan."""
    model = trace_of(sample)
    plan = folder / "plan.json"
    remat("plan", model, *arguments, "-o", plan)
    code = remat("export", model, plan, "--as", "python", "-o", "-")
    module = {"code": code}
    exec(compile(code, sample, "exec"), module)
    return module, json.loads(plan.read_text())


class LiveBytes(TorchDispatchMode):
    """Counts the bytes of storages made and still alive, each rounded up to 512 as the allocator does."""

    def __init__(self):
        super().__init__()
        self.alive = {}
        self.peak = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        given = tree_flatten((args, kwargs))[0]
        before = {tensor.untyped_storage()._cdata for tensor in given if torch.is_tensor(tensor)}
        result = function(*args, **(kwargs or {}))
        for tensor in tree_flatten(result)[0]:
            if torch.is_tensor(tensor) and tensor.untyped_storage()._cdata not in before:
                storage = tensor.untyped_storage()
                self.alive[storage._cdata] = (StorageWeakRef(storage), -(-storage.nbytes() // 512) * 512)
        self.alive = {key: (ref, size) for key, (ref, size) in self.alive.items() if not ref.expired()}
        self.peak = max(self.peak, sum(size for _, size in self.alive.values()))
        return result


def equal(left, right):
    assert left["loss"].equal(right["loss"])
    for group in ("gradients", "input_gradients", "buffers", "other"):
        assert left[group].keys() == right[group].keys()
        for name, tensor in left[group].items():
            assert tensor.equal(right[group][name]), f"{group} {name}"


@pytest.mark.parametrize("sample", TINY)
def test_a_plan_computes_what_keep_all_computes(sample, tmp_path):
    keep_all, _ = exported(sample, tmp_path, "--solver", "keep-all", "--budget", "100%")
    planned, plan = exported(sample, tmp_path, "--solver", "search", "--budget", "50%", *QUICK)
    inputs = planned["example_inputs"]()
    assert sum(step["do"] == "compute" for step in plan["steps"]) > plan["graph"]["ops"], "nothing is computed twice"
    reference = keep_all["step"](inputs, seed=0)
    with LiveBytes() as live:
        results = planned["step"](inputs, seed=0)
    equal(results, reference)
    assert results["loss"].isfinite() and len(results["gradients"]) > 10
    # Workspaces are the operators' own and not seen from here.
    assert 0.5 * plan["predicted"]["peak_bytes"] < live.peak <= plan["predicted"]["peak_bytes"]


class Seeded(torch.fx.Interpreter):
    """Runs the archive's graph with each random op drawing what the code lets it draw."""

    def __init__(self, module, draws):
        super().__init__(module)
        self.draws = iter(draws)

    def call_function(self, target, args, kwargs):
        if torch.Tag.nondeterministic_seeded in getattr(target, "tags", ()):
            next(self.draws)()
        return super().call_function(target, args, kwargs)


def run_archive(path, planned, inputs):
    """Loss and gradients of an archive's graph, which draws what the code lets it draw."""
    program = loaded(path)
    names = [spec.target or spec.arg.name for spec in program.graph_signature.input_specs]
    numbers = dict.fromkeys(int(number) for number in re.findall(r"draw\(device, seed, (\d+)\)", planned["code"]))
    draws = [functools.partial(planned["draw"], "cpu", 0, number) for number in numbers]
    with torch.no_grad():
        outputs = Seeded(program.graph_module, draws).run(*[inputs[name].clone() for name in names])
    kinds = [(spec.kind.name, spec.target) for spec in program.graph_signature.output_specs]
    (loss,) = (value for value, (kind, _) in zip(outputs, kinds, strict=True) if kind == "LOSS_OUTPUT")
    gradients = {
        target: value
        for value, (kind, target) in zip(outputs, kinds, strict=True)
        if kind == "GRADIENT_TO_PARAMETER"
    }
    return loss, gradients


def computes(results, loss, gradients):
    assert loss.equal(results["loss"])
    assert gradients.keys() == results["gradients"].keys() and len(gradients) > 10
    for name, value in gradients.items():
        assert value.equal(results["gradients"][name]), name


def test_the_code_computes_what_the_archive_holds(tmp_path):
    planned, _ = exported("tiny_resnet", tmp_path, "--solver", "search", "--budget", "60%", *QUICK)
    inputs = planned["example_inputs"]()
    loss, gradients = run_archive(trace_of("tiny_resnet"), planned, inputs)
    computes(planned["step"](inputs, seed=0), loss, gradients)


@pytest.mark.parametrize("solver", ["keep-all", "search"])
@pytest.mark.parametrize("chunks", ["head=8", "head=7", "head=4,tanh=4"])
def test_chunks_are_turns_of_a_loop(solver, chunks, tmp_path):
    budget = ["--budget", "100%" if solver == "keep-all" else "50%"]
    planned, plan = exported("tiny_gpt2", tmp_path, "--chunk", chunks, "--solver", solver, *budget, *QUICK)
    loops = re.findall(r"for chunk in range\((\d+), (\d+)\):", planned["code"])
    pieces = int(chunks[5])
    assert any(int(end) - int(begin) > pieces / 2 - 1 for begin, end in loops), "most chunks are turns of one loop"
    remat("chunk", trace_of("tiny_gpt2"), "--plan", tmp_path / "plan.json", "-o", tmp_path / "chunked.pt2")
    inputs = planned["example_inputs"]()
    loss, gradients = run_archive(tmp_path / "chunked.pt2", planned, inputs)
    with LiveBytes() as live:
        results = planned["step"](inputs, seed=0)
    computes(results, loss, gradients)
    assert live.peak <= plan["predicted"]["peak_bytes"]


def test_offloaded_storages_come_back(tmp_path):
    keep_all, _ = exported("tiny_gpt2", tmp_path, "--solver", "keep-all", "--budget", "100%")
    planned, plan = exported("tiny_gpt2", tmp_path, "--solver", "pofo", "--budget", "70%")
    assert any(step["do"] == "prefetch" for step in plan["steps"]), "nothing is offloaded"
    inputs = planned["example_inputs"]()
    equal(planned["step"](inputs, seed=0), keep_all["step"](inputs, seed=0))


class Scaled(torch.nn.Module):
    """Has a parameter, a buffer and, from its loss, a constant; and draws."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(6, 6)
        self.register_buffer("scale", torch.full((6,), 3.0))
        self.dropout = torch.nn.Dropout(0.5)

    def forward(self, x):
        return self.dropout(self.layer(x) * self.scale)


@pytest.mark.parametrize("weights", [True, False])
def test_the_recipe_of_the_code_runs_on_real_values(weights, tmp_path):
    torch.manual_seed(3)
    model, batch, target = Scaled().train(), torch.randn(5, 6), torch.randn(5, 6)
    archive, plan = tmp_path / "model.pt2", tmp_path / "plan.json"
    loss_fn = lambda output: torch.nn.functional.mse_loss(output, target)  # noqa: E731
    remat_studio.trace(copy.deepcopy(model), (batch,), loss_fn, archive, weights=weights)
    remat("plan", archive, "--budget", "100%", "--solver", "keep-all", "-o", plan)
    module = {}
    exec(compile(remat("export", archive, plan, "--as", "python", "-o", "-"), "exported", "exec"), module)
    with torch.no_grad():
        model.layer.weight += 1  # trained since it was traced
    inputs = module["example_inputs"]()
    inputs |= module["traced_inputs"](archive)
    inputs |= module["model_inputs"](model)
    assert any(value.equal(target) for value in inputs.values()), "the constant of the loss is there"
    inputs["input"] = inputs["x"] = batch
    draws = torch.stack([module["step"](inputs)["loss"] for _ in range(8)])
    assert draws.unique().numel() > 1, "each step draws anew"
    assert module["step"](inputs, seed=1)["loss"].equal(module["step"](inputs, seed=1)["loss"])
    before = torch.random.get_rng_state()
    module["step"](inputs, seed=1)
    assert torch.random.get_rng_state().equal(before), "the generator is left as it was"
    assert inputs["layer.weight"].equal(model.layer.weight) and inputs["scale"].equal(model.scale)
