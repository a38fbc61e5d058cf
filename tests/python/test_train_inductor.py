# SPDX-License-Identifier: Apache-2.0
"""Plans with Inductor's kernels: the exact peak before a kernel is compiled, budgets that hold, values as without."""

import contextlib
import os
import subprocess
import sys
import warnings

import pytest
import remat_studio
import torch
from conftest import ROOT
from remat_studio.comparison.held import measured
from remat_studio.train import (
    PlanError,
    lowerings,
    planner as planning,
    records,
    step_parts,
    telling,
    torch_private,
    workspaces,
)
from support import quick_inductor
from torch import nn
from torch._functorch import config as functorch_config
from torch.distributed.fsdp import fully_shard
from torch.nn.functional import cross_entropy, scaled_dot_product_attention
from torch.nn.parallel import DistributedDataParallel
from torch.utils.checkpoint import checkpoint
from training import batches, chain, compiled, one_rank, planner

__all__ = ["one_rank", "planner"]


@pytest.fixture(scope="module", autouse=True)
def inductor(tmp_path_factory):
    """Kernels that one test compiled are there for the others."""
    with quick_inductor(tmp_path_factory.mktemp("inductor")):
        yield


def loss(model, x):
    """A classification: Inductor's passes make nodes of it that carry no tag."""
    return cross_entropy(model(x), torch.arange(len(x)) % 4)


def gradients(model, step, x):
    """What one step gives each parameter, with the same random numbers each time."""
    model.zero_grad()
    torch.manual_seed(7)
    step(x).backward()
    return [p.grad.clone() for p in model.parameters()]


@pytest.mark.rotates(group="inductor")
@pytest.mark.parametrize("budget", ["100%", "75%"])
def test_the_measured_peak_is_the_predicted_one_and_within_the_budget(budget):
    model, x = chain(depth=3), batches(1, rows=256)[0]
    step = compiled(lambda x: loss(model, x), budget, codegen="inductor", verify=True)
    own = gradients(model, step, x)
    record = records()[-1]
    assert record["measured"]["peak_bytes"] == record["predicted"]["peak_bytes"] <= record["budget_bytes"]
    assert record["before_bytes"] == record["predicted"]["keep_all_peak_bytes"]
    assert (record["predicted"]["peak_bytes"] < record["before_bytes"]) == (budget != "100%")
    torch.testing.assert_close(own, gradients(model, lambda x: loss(model, x), x))


def attention(x):
    """Counts as a random op, though it drops nothing."""
    parts = x.unflatten(-1, (2, 16)).transpose(1, 2)
    return scaled_dot_product_attention(parts, parts, parts, is_causal=True).transpose(1, 2).flatten(2)


def shuffled(x):
    """Draws numbers that its backward reads."""
    return x * torch.randperm(32) / 32


@pytest.mark.rotates(group="inductor")
@pytest.mark.parametrize("mix", [attention, shuffled])
def test_random_ops_inside_of_the_models_own_checkpoints_are_planned(mix):
    model, x = nn.ModuleList(nn.Linear(32, 32) for _ in range(3)), torch.randn(4, 64, 32)

    def run(x):
        for layer in model:
            x = x + checkpoint(lambda x, layer=layer: mix(layer(x).tanh()), x, use_reentrant=False)
        return x.square().mean()

    own = gradients(model, compiled(run, "85%", codegen="inductor", verify=True), x)
    record = records()[-1]
    assert record["measured"]["peak_bytes"] == record["predicted"]["peak_bytes"]
    torch.testing.assert_close(own, gradients(model, run, x))


@pytest.mark.rotates(group="inductor")
def test_few_cuts_are_lowered_and_none_twice(monkeypatch):
    """Each cut has two halves; another budget finds again what the first one has seen."""
    model, x = chain(depth=3, width=48), batches(1, rows=256)[0]
    lower, halves = torch_private.lower, []

    def counted(half, *given, **how):
        halves.append(half)
        return lower(half, *given, **how)

    monkeypatch.setattr(torch_private, "lower", counted)
    lowerings.forget()
    for budget, least, most in (("75%", 4, 10), ("74%", 0, 6)):
        halves.clear()
        torch._dynamo.reset()
        compiled(lambda x: loss(model, x), budget, codegen="inductor")(x).backward()
        record = records()[-1]
        assert record["predicted"]["peak_bytes"] <= record["budget_bytes"]
        assert least <= len(halves) <= most and len(halves) <= 2 * len(record["tried"]) <= 10
    halves.clear()
    torch._dynamo.reset()
    compiled(lambda x: loss(model, x), "30%", codegen="inductor", search_seconds=0)(x)
    assert len(records()[-1]["tried"]) == 2 and not halves  # without a plan, and PyTorch's that computes little again


@pytest.mark.rotates(group="inductor")
@pytest.mark.parametrize("budget", ["75%", "20%"])
def test_the_second_start_makes_the_cut_of_the_first_again(monkeypatch, budget):
    """Without a search: it lowers two halves of the cut, and two without a plan."""
    lowered, lower, plans, try_plan, said = [], torch_private.lower, [], planning.try_plan, []
    monkeypatch.setattr(torch_private, "lower", lambda *given, **how: lowered.append(given) or lower(*given, **how))
    monkeypatch.setattr(planning, "try_plan", lambda *given: plans.append(given) or try_plan(*given))
    monkeypatch.setattr(step_parts, "tell", lambda sentence, *_: said.append(sentence))
    model, x = chain(depth=1), batches(1, rows=256)[0]
    starts = []
    for _ in range(2):
        for seen in (lowered, plans, said):
            seen.clear()
        lowerings.forget()
        torch._dynamo.reset()
        step = compiled(lambda x: loss(model, x), budget, codegen="inductor", time_limit=1)
        own, record = gradients(model, step, x), records()[-1]
        same = [*said, *(record[each] for each in ("cut", "predicted", "solver", "chunks"))]
        starts.append((own, same, record["from_cache"], len(lowered), len(plans)))
    (own, same, is_again, halves, calls), (*second, halves_again, calls_again) = starts
    assert not is_again and halves > 4 and calls and len(same) == 4 + (budget == "20%")
    assert second[1:] == [same, True] and halves_again == 4 and not calls_again
    assert all(map(torch.equal, own, second[0]))


@pytest.mark.rotates(group="inductor")
def test_a_mask_that_is_made_again_gives_the_gradients_of_plain_inductor():
    model = nn.Sequential(nn.Linear(8, 64), nn.GELU(), nn.Dropout(0.3), nn.Linear(64, 64), nn.Dropout(0.3))
    x = batches(1, rows=256)[0]

    def step(x):
        return model(x).square().mean()

    plain = gradients(model, torch.compile(step), x)
    torch._dynamo.reset()
    own = gradients(model, compiled(step, "80%", codegen="inductor"), x)
    record = records()[-1]
    assert record["cut"].startswith("a plan") and record["predicted"]["peak_bytes"] <= record["budget_bytes"]
    assert all(map(torch.equal, own, plain))
    torch._dynamo.reset()
    with functorch_config.patch(activation_memory_budget=0.05):  # PyTorch's own way to hold less: other masks
        wrong = gradients(model, torch.compile(step), x)
    assert not all(map(torch.equal, wrong, plain))


@pytest.mark.rotates(group="inductor")
def test_a_budget_that_no_cut_holds_is_said_with_the_smallest_exact_peak():
    model, x = chain(depth=1), batches(1)[0]
    with pytest.raises(PlanError, match=r"the smallest exact peak that was found is \d+ bytes"):
        compiled(lambda x: loss(model, x), "1%", codegen="inductor", strict=True)(x)


def test_workspaces_that_cannot_be_measured_beside_a_profiler_are_said(monkeypatch):
    monkeypatch.setattr(telling, "_told_of_all", set())
    multiply, factors = torch.ops.aten.mm.default, (torch.ones(7, 1013), torch.ones(1013, 5))
    with measured([]), pytest.warns(UserWarning, match="begin to profile with the second step"):
        assert workspaces.peak_inside(multiply, factors, {}) == 0
    assert workspaces.peak_inside(multiply, factors, {}) >= 7 * 5 * 4


def convolutions():
    torch.manual_seed(0)
    layers = [layer for _ in range(2) for layer in (nn.ReLU(), nn.Conv2d(32, 32, 3, padding=1))]
    return nn.Sequential(nn.Conv2d(4, 32, 3, padding=1), *layers)


@pytest.mark.rotates(group="inductor")
def test_weights_of_convolutions_are_saved_as_they_are_given_and_not_in_another_layout():
    """Inductor saves a copy of each in the layout of its convolutions; gradients are the same without."""
    model, x = convolutions(), torch.randn(2, 4, 8, 8)

    def run(x):
        return model(x).square().mean()

    step = compiled(run, "90%", codegen="inductor", verify=True)
    own = gradients(model, step, x)
    record = records()[-1]
    assert record["cut"].endswith("inputs saved as given")
    assert record["predicted"]["flops"] == record["predicted"]["keep_all_flops"]  # nothing is computed again
    assert record["measured"]["peak_bytes"] == record["predicted"]["peak_bytes"] <= record["budget_bytes"]
    torch.testing.assert_close(own, gradients(model, run, x))


SCRIPT = """
import sys, warnings
sys.path[:0] = sys.argv[1:]
import torch
import remat_studio
from support import quick_inductor
from training import chain
from torch._dynamo.utils import counters
with quick_inductor(__import__("os").environ["REMAT_TEST_INDUCTOR"]):
    installed = remat_studio.install("75%", time_limit=0.2)
    model = chain(depth=1)
    step = torch.compile(lambda x: model(x).square().mean())
    step(torch.ones(256, 8)).backward()
    hits = counters["aot_autograd"]["autograd_cache_hit"]
    (record,) = installed.records()
    print(len(remat_studio.records()), hits, record["predicted"]["peak_bytes"] <= record["budget_bytes"])
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        remat_studio.install("1%", time_limit=0.2)
        for _ in range(2):
            torch._dynamo.reset()
            step(torch.ones(256, 8)).backward()
    print(*(each.message for each in said if "No plan" in str(each.message)), sep="\\n")
"""


@pytest.mark.rotates(group="inductor")
def test_plain_compile_is_planned_and_a_second_start_plans_nothing(tmp_path):
    folders = [str(ROOT / "resources" / "python"), str(ROOT / "tests" / "python")]
    caches = {"REMAT_TEST_INDUCTOR": str(tmp_path / "inductor"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    said = []
    for _ in range(2):
        ran = subprocess.run(
            [sys.executable, "-c", SCRIPT, *folders], env=os.environ | caches, capture_output=True, text=True
        )
        assert ran.returncode == 0, ran.stderr
        said.append(ran.stdout.strip())
    (first, missed), (second, again) = map(str.splitlines, said)
    assert (first, second) == ("1 0 True", "0 1 True")
    assert missed.startswith("No plan for Inductor holds") and again == missed  # each once


@pytest.mark.rotates(group="inductor")
def test_code_from_pytorchs_caches_whose_plan_was_noted_nowhere_is_said(tmp_path, monkeypatch):
    model = chain(depth=1)
    step = torch.compile(lambda x: model(x).square().mean())
    try:
        for folder, is_said in (("a", False), ("a", False), ("b", True)):
            monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / folder))
            torch._dynamo.reset()
            remat_studio.install("75%", time_limit=0.2)
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                step(torch.ones(272, 8)).backward()
            sentence = f"what was noted of its plan is not in {tmp_path / folder / 'remat-studio'}"
            assert any(sentence in str(each.message) for each in said) == is_said
    finally:
        remat_studio.install(None)


@pytest.mark.rotates(group="inductor")
def test_a_batch_that_pytorch_marked_before_has_open_sizes_and_its_clone_has_not():
    model, xs = nn.Linear(12, 12), [torch.randn(rows, 12) for rows in (64, 32)]

    def run(x):
        return model(x).sin().square().mean()

    plain = torch.compile(run, backend="aot_eager")
    for x in [*xs, xs[0]]:  # the first size by itself, then both in one graph
        plain(x).backward()
    try:
        for x, sizes in ((xs[0].clone(), []), (xs[0], [64])):
            torch._dynamo.reset()
            remat_studio.install("90%", time_limit=0.2)
            step = torch.compile(run)
            with pytest.warns(UserWarning, match="PyTorch marked a tensor") if sizes else contextlib.nullcontext():
                step(x).backward()
            assert records()[-1]["open_sizes"] == sizes
    finally:
        remat_studio.install(None)


def test_install_refuses_what_it_does_not_know():
    with pytest.raises(PlanError, match="install takes no option 'codegen'"):
        remat_studio.install("60%", codegen="inductor")
    assert remat_studio.install(None) is None


def peak_of_a_step(model, step, rows):
    """What one step with so many rows holds."""
    model.zero_grad()
    x, found = batches(1, rows=rows)[0], []
    with measured(found):
        step(x).backward()
    return found[0]


@pytest.mark.rotates(group="inductor")
def test_each_size_is_planned_and_where_sizes_are_open_pytorchs_cuts_are_the_plans():
    model = chain(depth=1)

    def run(x):
        return loss(model, x)

    try:
        remat_studio.install("90%", time_limit=0.2)
        torch._dynamo.reset()
        step, before = torch.compile(run), len(records())
        for rows in (256, 96):
            x = batches(1, rows=rows)[0]
            torch.testing.assert_close(gradients(model, step, x), gradients(model, run, x))
        assert len(records()) == before + 2
        torch._dynamo.reset()
        step = torch.compile(run, dynamic=True)
        with pytest.warns(UserWarning, match="Sizes of the step are left open"):
            step(batches(1, rows=256)[0]).backward()
        for rows in (256, 64):
            x = batches(1, rows=rows)[0]
            torch.testing.assert_close(gradients(model, step, x), gradients(model, run, x))
        assert len(records()) == before + 3
        assert records()[-1]["open_sizes"] == [256]
        assert peak_of_a_step(model, step, 256) == records()[-1]["predicted"]["peak_bytes"]
        most = records()[-1]["largest_size"]["holds_to"]
        peaks = [peak_of_a_step(model, step, rows) for rows in (most, most + 1)]
        assert peaks[0] <= records()[-1]["budget_bytes"] < peaks[1]
        with pytest.warns(UserWarning, match=r"a larger size than the one that its plan is for \(256\)"):
            assert peak_of_a_step(model, step, 512) > records()[-1]["budget_bytes"]
        torch._dynamo.reset()
        x = batches(1, rows=256)[0]
        torch._dynamo.mark_dynamic(x, 0, min=2, max=512)
        step = torch.compile(run)  # PyTorch's cache has it with the plan for 256
        step(x).backward()
        assert records()[-1]["open_sizes"] == [512]
        assert peak_of_a_step(model, step, 512) == records()[-1]["predicted"]["peak_bytes"]
    finally:
        remat_studio.install(None)


@pytest.mark.rotates(group="inductor")
def test_sizes_beyond_a_few_share_a_graph_that_is_planned_at_the_largest_and_again_for_a_larger_one():
    model = chain(depth=1, width=20)  # no other test has left it in PyTorch's caches

    def run(x):
        return loss(model, x)

    try:
        remat_studio.install("90%", time_limit=0.2, shapes=2)
        torch._dynamo.reset()
        step, before = torch.compile(run), len(records())
        for rows in (96, 256, 80, 224):
            x = batches(1, rows=rows)[0]
            torch.testing.assert_close(gradients(model, step, x), gradients(model, run, x))
        assert [record["open_sizes"] for record in records()[before:]] == [[], [], [256]]
        assert peak_of_a_step(model, step, 240) <= records()[-1]["budget_bytes"]
        with pytest.warns(UserWarning, match=r"larger size than the one that its plan is for \(256\)"):
            step(batches(1, rows=320)[0]).backward()
        assert len(records()) == before + 3
        step(batches(1, rows=72)[0]).backward()
        assert [record["open_sizes"] for record in records()[before + 3 :]] == [[320]]
        assert peak_of_a_step(model, step, 320) == records()[-1]["predicted"]["peak_bytes"]
        assert len(records()) == before + 4
    finally:
        remat_studio.install(None)


@pytest.mark.rotates(group="inductor")
@pytest.mark.parametrize("codegen", [None, "inductor"], ids=["eager", "inductor"])
def test_each_size_has_a_plan_of_its_own_though_it_is_marked_as_dynamic(codegen):
    model = chain(depth=3)

    def run(x):
        return loss(model, x)

    step, sizes = compiled(run, "70%", codegen=codegen), []
    for rows in (256, 192):
        x = batches(1, rows=rows)[0]
        torch._dynamo.mark_dynamic(x, 0, min=2, max=512)
        torch.testing.assert_close(gradients(model, step, x), gradients(model, run, x))
        sizes.append(records()[-1])
        assert sizes[-1]["predicted"]["peak_bytes"] <= sizes[-1]["budget_bytes"]
        held = peak_of_a_step(model, step, rows)
        assert held == sizes[-1]["predicted"]["peak_bytes"] or not codegen
    assert sizes[0]["budget_bytes"] > sizes[1]["budget_bytes"]
    assert not codegen or sizes[1]["open_sizes"] == []


class Block(nn.Module):
    """A residual block. Dynamo compiles code of users, not of torch.nn."""

    def __init__(self):
        super().__init__()
        self.norm, self.up, self.down = nn.LayerNorm(32), nn.Linear(32, 128), nn.Linear(128, 32)

    def forward(self, x):
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm(x))))


class Net(nn.Module):
    """Blocks and a loss; Dynamo may be told to break it between blocks."""

    def __init__(self, breaks=False, first=None):
        super().__init__()
        torch.manual_seed(2)
        self.blocks, self.breaks, self.first = nn.ModuleList(Block() for _ in range(3)), breaks, first

    def forward(self, x):
        x = self.first(x) if self.first else x
        for block in self.blocks:
            x = block(x)
            if self.breaks:
                torch._dynamo.graph_break()
        return x.square().mean()


def in_buckets(monkeypatch):
    """A model that DistributedDataParallel cuts into buckets of a block each."""
    monkeypatch.setattr(torch.distributed, "_DEFAULT_FIRST_BUCKET_BYTES", 30_000)
    return DistributedDataParallel(Net(), bucket_cap_mb=0.03)


def sharded(_monkeypatch, model=None):
    """A model whose blocks gather their parameters one by one."""
    model = model or Net()
    for block in model.blocks:
        fully_shard(block)
    return fully_shard(model)


def alike(_monkeypatch):
    """The same with one graph for all blocks, since the input of each has a gradient."""
    return sharded(None, Net(first=nn.Linear(32, 32)))


def by_itself(_monkeypatch):
    """Each block is compiled by itself, and all by one graph."""
    model = Net(first=nn.Linear(32, 32))
    for block in model.blocks:
        block.compile()
    return model


def broken(_monkeypatch):
    """Dynamo breaks the model between its blocks."""
    return Net(breaks=True)


@pytest.mark.rotates(group="inductor")
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("spread", [in_buckets, sharded, alike, by_itself, broken])
def test_graphs_of_one_step_share_its_budget(one_rank, monkeypatch, spread):
    model, x = spread(monkeypatch), torch.randn(512, 32)
    with torch.compiler.set_stance("force_eager"):
        wanted = gradients(model, model, x)
    before = len(records())
    try:
        remat_studio.install("60%", time_limit=0.2)
        step = model if spread is by_itself else torch.compile(model)
        for _ in range(3):  # which graphs there are, their order, and the best choice
            step(x).backward()
            model.zero_grad()
        found = []
        with measured(found):
            step(x).backward()
        own = [p.grad.clone() for p in model.parameters()]
    finally:
        remat_studio.install(None)
    record = next(each for each in records()[before:] if each["graph"]["name"] == "graphs")
    assert len(record["choices"]) > 1
    assert abs(found[0] - record["predicted"]["peak_bytes"]) <= 64  # numbers that collectives make beside the graphs
    assert found[0] <= record["budget_bytes"] < record["before_bytes"]
    for value, other in zip(own, wanted, strict=True):
        value, other = (getattr(each, "full_tensor", lambda each=each: each)() for each in (value, other))
        torch.testing.assert_close(value, other)


@pytest.mark.rotates(group="inductor")
@pytest.mark.parametrize("way", ["codegen", "install"])
def test_strict_refuses_a_step_and_not_the_share_of_a_part(way):
    """No block holds 60 % by itself, and all together do; a graph alone is refused when its first step is over."""

    def train(model, budget, x):
        torch._dynamo.reset()
        if way == "install":
            remat_studio.install(budget, time_limit=0.2, strict=True)
        step = torch.compile(model) if way == "install" else compiled(model, budget, codegen="inductor", strict=True)
        for _ in range(3):
            step(x).sum().backward()
            ran.append(budget)

    ran = []
    try:
        train(Net(breaks=True), "60%", torch.randn(512, 32))
        assert records()[-1]["predicted"]["peak_bytes"] <= records()[-1]["budget_bytes"]
        with pytest.raises(PlanError, match="the smallest exact peak"):
            train(chain(depth=1), "1%", batches(1)[0])
        assert ran.count("1%") == 1
    finally:
        remat_studio.install(None)


@pytest.mark.rotates(group="inductor")
@pytest.mark.parametrize("breaks", [False, True], ids=["one_graph", "two_graphs"])
def test_a_backward_that_runs_again_is_said_of_plain_compile(monkeypatch, breaks):
    monkeypatch.setattr(telling, "_told_of_all", set())
    try:
        remat_studio.install("90%", time_limit=0.2)
        step = torch.compile(Net(breaks))
        for _ in range(3 if breaks else 1):  # of several graphs, the first step shows which there are
            loss = step(torch.randn(64, 32)).sum()
            loss.backward(retain_graph=True)
        with pytest.warns(UserWarning, match="call backward once to hold the budget"):
            loss.backward()
    finally:
        remat_studio.install(None)


@pytest.mark.rotates(group="inductor")
@pytest.mark.parametrize("way", ["backend", "install"])
def test_a_smaller_step_takes_the_cut_of_a_larger_one(monkeypatch, way):
    """With one lowering of two halves beside those without a plan; a much smaller one is within a budget of its own."""
    model, lowered, own = chain(depth=3), [], torch_private.lower
    monkeypatch.setattr(torch_private, "lower", lambda *given, **how: lowered.append(given) or own(*given, **how))
    lowerings.forget()

    def run(x):
        return loss(model, x)

    try:
        if way == "install":
            remat_studio.install("75%", time_limit=0.2, buckets=1.25)
            step = torch.compile(run)
        else:
            step = compiled(run, "75%", codegen="inductor", buckets=1.25)
        begin = len(records())
        for rows, name in ((640, None), (560, "step"), (200, None)):
            lowered.clear()
            x = batches(1, rows=rows)[0]
            torch.testing.assert_close(gradients(model, step, x), gradients(model, run, x))
            record = records()[-1]
            assert record["bucket"] == name and (len(lowered) <= 4) == (rows < 640)
            assert peak_of_a_step(model, step, rows) == record["predicted"]["peak_bytes"] <= record["budget_bytes"]
        assert len(records()) == begin + 3
    finally:
        remat_studio.install(None)
