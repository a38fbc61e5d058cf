# SPDX-License-Identifier: Apache-2.0
"""Fused kernels as ops of a plan: what is grouped, the way back, and that PyTorch's own cuts are no faster."""

import dataclasses
import functools
import json
import subprocess
import time
import types

import pytest
import torch
from remat_studio import torch_private
from remat_studio.train import (
    cache,
    costs,
    inductor_bases,
    inductor_cuts,
    inductor_plan,
    kernel_graph,
    lowerings,
    memory,
    options,
    planner as planning,
)
from remat_studio.train.beside import Beside
from remat_studio.train.fused import FusedGraph
from remat_studio.train.step_graph import StepGraph
from torch import nn
from torch._inductor.custom_graph_pass import CustomPartitionerFn
from torch.nn.functional import cross_entropy, gelu, scaled_dot_product_attention
from training import planner

__all__ = ["planner"]


class Block(nn.Module):
    """A residual branch behind a norm, whose weight gets its gradient from what the branch begins with."""

    def __init__(self, width):
        super().__init__()
        self.norm, self.up, self.down = nn.RMSNorm(width), nn.Linear(width, 2 * width), nn.Linear(2 * width, width)

    def forward(self, x):
        return x + self.down(gelu(self.up(self.norm(x))))


class Capture(CustomPartitionerFn):
    """Ends a compilation where a partitioner is called, and keeps what that is given."""

    given = None

    def __call__(self, module, joint_inputs, **arguments):
        self.given = torch_private.copied(module), joint_inputs, arguments
        raise RuntimeError("captured")

    def __reduce__(self):
        return str, ("capture",)

    def uuid(self):
        return "capture"


class Attention(nn.Module):
    """A residual attention behind a norm."""

    def __init__(self, width):
        super().__init__()
        self.norm, self.read, self.out = nn.LayerNorm(width), nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x):
        parts = (part.unflatten(-1, (4, -1)).transpose(1, 2) for part in self.read(self.norm(x)).chunk(3, -1))
        return x + self.out(scaled_dot_product_attention(*parts).transpose(1, 2).flatten(2))


def residual():
    """Residual branches, and the shape of their input."""
    return nn.Sequential(*(Block(32) for _ in range(3)), nn.Linear(32, 8)), (128, 32)


def convolutional():
    """Convolutions with norms of batches, and the shape of their input."""
    sizes = ((3, 16), (16, 16), (16, 16))
    layers = (nn.Sequential(nn.Conv2d(*size, 3, padding=1), nn.BatchNorm2d(size[1]), nn.ReLU()) for size in sizes)
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 8)), (8, 3, 16, 16)


def attentive():
    """A small transformer, and the shape of its input."""
    blocks = (layer for _ in range(2) for layer in (Attention(32), Block(32)))
    return nn.Sequential(*blocks, nn.Flatten(), nn.Linear(16 * 32, 8)), (8, 16, 32)


class Shortcut(nn.Module):
    """A block of a residual network, half as high and wide as what it reads."""

    def __init__(self, read, made):
        super().__init__()
        self.first, self.second = nn.Conv2d(read, made, 3, 2, 1, bias=False), nn.Conv2d(made, made, 3, 1, 1, bias=False)
        self.past = nn.Conv2d(read, made, 1, 2, bias=False)
        self.norms = nn.ModuleList(nn.BatchNorm2d(made) for _ in range(3))

    def forward(self, x):
        y = self.norms[1](self.second(self.norms[0](self.first(x)).relu()))
        return (y + self.norms[2](self.past(x))).relu()


def shortcuts():
    """A small residual network, and the shape of its input."""
    end = (nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 8))
    return nn.Sequential(Shortcut(3, 8), Shortcut(8, 16), *end), (8, 3, 32, 32)


class LowRank(nn.Module):
    """A frozen layer with a change of low rank that is trained."""

    def __init__(self, frozen):
        super().__init__()
        self.frozen, self.down = frozen.requires_grad_(False), nn.Linear(frozen.in_features, 4, bias=False)
        self.up = nn.Linear(4, frozen.out_features, bias=False)

    def forward(self, x):
        return self.frozen(x) + self.up(self.down(x))


def low_rank():
    """A small transformer of which changes of low rank are trained, and the shape of its input."""
    model, shape = attentive()
    model.requires_grad_(False)
    for block in model:
        if isinstance(block, Attention):
            block.read = LowRank(block.read)
    return model, shape


@functools.cache
def captured(make):
    """The joint graph of a small step as a partitioner gets it."""
    torch.manual_seed(1)
    model, shape = make()
    x = torch.randn(shape)

    def run():
        return cross_entropy(model(x), torch.arange(len(x)) % 8)

    capture = Capture()
    with pytest.raises(Exception, match="captured"):
        torch.compile(run, fullgraph=True, options={"custom_partitioner_fn": capture})()
    module, joint_inputs, arguments = capture.given
    raw = StepGraph.of_joint_graph(torch_private.copied(module), arguments["num_fwd_outputs"])
    maker = inductor_cuts.Maker(module, joint_inputs, arguments, costs.device(None, raw).time_of(raw))
    return types.SimpleNamespace(given=capture.given, maker=maker)


@pytest.fixture(scope="module")
def step():
    """The step of residual branches."""
    return captured(residual)


def joined(step, ratio):
    """The two halves of PyTorch's cut in one graph."""
    graph = inductor_cuts.joined(*step.maker.own_halves(ratio), step.maker.outputs)
    graph.draw_once()
    return graph


@pytest.mark.parametrize("ratio", [1, 0.99, 0])
def test_every_op_is_in_one_group_and_groups_hide_only_what_they_alone_read(step, ratio):
    graph = joined(step, ratio)
    fused = FusedGraph(graph).graph
    members = [op for group in fused.ops for op in group.members]
    assert sorted(op.name for op in members) == sorted(op.name for op in graph.ops)
    assert len(fused.ops) < 0.7 * len(graph.ops)
    made = {storage for storage in graph.storages if storage.is_resident} | set(graph.tangent_storages)
    for group in fused.ops:
        assert made.issuperset(group.reads)
        assert len({op.is_forward for op in group.members}) == 1
        assert group.moved_bytes <= sum(op.moved_bytes for op in group.members)
        made.update(group.makes)
    hidden = set(graph.storages) - set(fused.storages)
    assert hidden.isdisjoint({*graph.held_outputs, *graph.gradients}) and hidden.isdisjoint(made)


@pytest.mark.rotates(group="inductor")
def test_a_plan_that_computes_nothing_again_is_the_cut_itself(step):
    cut = step.maker.own(1)
    graph = joined(step, 1)
    fused = FusedGraph(graph)
    again = step.maker.of_steps("again", graph, fused.expanded(memory.keep_all(fused.graph)))
    assert (again.bytes, again.peak.flops, again.time_us) == (cut.bytes, cut.peak.flops, cut.time_us)


@pytest.mark.parametrize("is_own", [False, True])
def test_a_plan_for_kernels_is_written_for_the_window(step, is_own, tmp_path):
    given = options.read({"budget": "70%", "codegen": "inductor", "time_limit": 1})
    fitted = inductor_plan.fit(*step.given, given, "step")
    fitted = dataclasses.replace(fitted, cut=step.maker.own(0.5) if is_own else fitted.cut, budget_bytes=2**40)
    model, plan = tmp_path / "step.json", tmp_path / "step.plan.json"
    kernel_graph.write(model, "step", fitted, step.maker.outputs)
    check = [planning.executable(), "check", model, plan, "--device", fitted.device, "--json"]
    done = subprocess.run(check, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    said = json.loads(done.stdout)
    assert said["verdict"] == "ok" and "Inductor's kernels, whose code says their peak to the byte" in said["sentence"]
    ops = json.loads(model.read_text())["ops"]
    numbers = {op["sequence"] for op in ops if op["phase"] == "forward"}
    assert any(op["phase"] == "backward" and op["sequence"] in numbers for op in ops)
    kernels = {op["module"] for op in ops if "fused" in op.get("module", "")}
    assert len(kernels) > 5 and any(module.startswith("0.up") or "norm" in module for module in kernels)
    assert any(output["bytes"] == 0 for op in ops for output in op["outputs"])
    computed = [step["op"] for step in json.loads(plan.read_text())["steps"] if step["do"] == "compute"]
    assert (len(computed) == len(ops)) == (fitted.cut.steps is None)


def test_a_cut_is_made_again_for_its_budget_and_from_a_whole_file_alone(step, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def fit(budget, **more):
        given = options.read({"budget": budget, "codegen": "inductor", "time_limit": 1, **more})
        return inductor_plan.fit(*step.given, given, "step")

    first, second = fit("65%"), fit("65%")
    assert (first.from_cache, second.from_cache) == (False, True) and len(second.tried) == 2
    assert (first.cut.name, first.cut.peak, first.cut.steps) == (second.cut.name, second.cut.peak, second.cut.steps)
    assert not fit("65%", cache=False).from_cache
    assert not fit(f"{first.budget_bytes + 1}B").from_cache
    assert not fit("65%", time_limit=0.9).from_cache
    for change in ({"peak_bytes": first.cut.bytes - 1}, {"base": "another"}):
        for file in cache.folder().glob("*.json"):
            file.write_text(json.dumps(json.loads(file.read_text()) | change))
        assert not fit("65%").from_cache
        assert fit("65%").from_cache
    for file in cache.folder().glob("*.json"):
        file.write_text("{")
    assert not fit("65%").from_cache


def test_another_budget_finds_again_what_one_has_tried(step, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    how = {"codegen": "inductor", "time_limit": 1}
    first = inductor_plan.fit(*step.given, options.read({"budget": "65%", **how}), "step")
    assert first.cut.steps and first.missed is None
    monkeypatch.setattr(inductor_bases.Base, "proposal", lambda _base: None)  # no further plan is made
    larger = options.read({"budget": f"{first.budget_bytes + 1000}B", **how})
    assert inductor_plan.fit(*step.given, larger, "step").cut.time_us <= first.cut.time_us
    least = inductor_plan.fit(*step.given, options.read({"budget": "1%", **how}), "step")
    assert least.missed and first.cut.bytes in [each["peak_bytes"] for each in least.tried]
    given = options.read({"budget": "1%", **how})  # of which what lies beside the graph leaves nothing
    beside = inductor_plan.fit(*step.given, with_beside(given, Beside.all_along(1 << 30)), "step")
    assert "with the 1073741824 bytes" in beside.missed
    assert f'with these: "{beside.cut.peak.step_bytes + (1 << 30)}B".' in beside.missed


def with_beside(given, beside):
    """Options for a step that holds this beside its graph."""
    return dataclasses.replace(given, budget=dataclasses.replace(given.budget, beside=beside))


@pytest.mark.parametrize("place", ["forward_bytes", "between", "backward_bytes"])
def test_what_lies_beside_a_graph_counts_only_where_it_lies(step, place):
    plain = step.maker.own(1).peak
    beside = Beside(between=(((), 0),), is_measured=True, held=())
    index = list(vars(beside)).index(place)
    more = max(beside.places(plain)) - beside.places(plain)[index] + plain.step_bytes // 4
    # So much more there, and only there.
    beside = dataclasses.replace(beside, **{place: (((), more),) if place == "between" else more})
    assert beside.peak_with(plain) == beside.places(plain)[index]
    given = options.read({"budget": "85%", "codegen": "inductor", "time_limit": 1, "cache": False})
    fitted = inductor_plan.fit(*step.given, with_beside(given, beside), "step")
    assert fitted.plain.bytes == beside.peak_with(plain) and fitted.budget_bytes == int(0.85 * fitted.plain.bytes)
    assert fitted.missed is None and fitted.cut.bytes == beside.peak_with(fitted.cut.peak) <= fitted.budget_bytes
    within = [each["time_us"] for each in fitted.tried if each["peak_bytes"] <= fitted.budget_bytes]
    assert fitted.cut.time_us == min(within)


def test_a_search_takes_no_more_than_so_many_lowerings_by_the_clock_of_the_processor(step, monkeypatch):
    now, lower = [0.0], torch_private.lower

    def slowly(*given, **how):
        now[0] += 20
        return lower(*given, **how)

    monkeypatch.setattr(time, "process_time", lambda: now[0])
    monkeypatch.setattr(torch_private, "lower", slowly)
    monkeypatch.setattr(inductor_plan, "_LOWERINGS", 4)
    given = options.read({"budget": "1%", "codegen": "inductor", "time_limit": 0.3, "cache": False})
    lowerings.forget()
    early = inductor_plan.fit(*step.given, given, "step")
    assert early.ended_early and now[0] <= 40 * 5 and len(early.tried) <= 5  # of two halves each
    assert "The search took all of its time" in early.missed
    again = inductor_plan.fit(*step.given, given, "step")  # with what is known already
    assert len(again.tried) > len(early.tried)


def test_a_budget_is_met_near_cuts_that_hold_more_without_a_plan_of_the_engine(step, monkeypatch):
    monkeypatch.setattr(inductor_bases.Base, "proposal", lambda _base: None)
    monkeypatch.setattr(inductor_bases, "own_proposals", lambda *_: [])
    given = options.read({"budget": "70%", "codegen": "inductor", "cache": False})
    fitted = inductor_plan.fit(*step.given, given, "step")
    assert fitted.missed is None and fitted.cut.steps and fitted.cut.bytes <= fitted.budget_bytes
    assert fitted.cut.time_us < 1.2 * fitted.plain.time_us and len(fitted.tried) <= 6


@pytest.mark.rotates(group="inductor")
def test_plans_are_tried_where_cuts_near_others_hold_more_than_is_expected(step, monkeypatch):
    def near(_base, start):
        copy = lambda: dataclasses.replace(start.cut, name=f"near {start.cut.name}")  # noqa: E731
        plan = {"steps": start.cut.steps, "solver": start.solver}
        return inductor_bases.Proposal(1, 1, copy, lambda cut: dataclasses.replace(start, cut=cut), plan=plan)

    monkeypatch.setattr(inductor_bases.Base, "near", near)
    monkeypatch.setattr(inductor_bases, "own_proposals", lambda *_: [])
    given = options.read({"budget": "65%", "codegen": "inductor", "time_limit": 1, "cache": False})
    fitted = inductor_plan.fit(*step.given, given, "step")
    assert fitted.missed is None
    assert any(each["asked_bytes"] for each in fitted.tried)


@pytest.mark.rotates(days=10)
@pytest.mark.parametrize("make", [residual, convolutional, attentive, shortcuts, low_rank])
@pytest.mark.parametrize("ratio", [0.75, 0.5, 0.25, 0])
def test_within_its_peak_no_ratio_of_pytorch_is_faster_than_what_is_taken(make, ratio):
    """By counted work, and with few lowered cuts."""
    step = captured(make)
    own = step.maker.own(ratio)
    given = options.read({"budget": f"{own.bytes}B", "codegen": "inductor", "time_limit": 1})
    fitted = inductor_plan.fit(*step.given, given, "step")
    assert fitted.cut.bytes <= own.bytes and fitted.missed is None
    assert fitted.cut.time_us <= own.time_us and fitted.cut.peak.flops <= own.peak.flops
    is_twice = any(each["cut"].endswith("saved as given") for each in fitted.tried)
    assert len(fitted.tried) <= 5 + 4 * (1 + is_twice)  # PyTorch's cuts that may be faster are looked at in any case
    assert len({(each["peak_bytes"], each["time_us"]) for each in fitted.tried}) == len(fitted.tried)
