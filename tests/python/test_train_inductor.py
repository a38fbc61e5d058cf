# SPDX-License-Identifier: Apache-2.0
"""Plans with Inductor's kernels: the exact peak before a kernel is compiled, budgets that hold, values as without."""

import os
import subprocess
import sys
import warnings

import pytest
import remat_studio
import torch
from conftest import ROOT
from remat_studio import torch_private
from remat_studio.comparison.held import measured
from remat_studio.train import (
    PlanError,
    installed,
    lowerings,
    planner as planning,
    records,
    telling,
    untold,
    workspaces,
)
from support import quick_inductor
from torch import nn
from torch._functorch import config as functorch_config
from torch.nn.functional import cross_entropy, scaled_dot_product_attention
from torch.utils.checkpoint import checkpoint
from training import batches, chain, compiled, doubling_operator, planner

__all__ = ["planner"]


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


def wide(x):
    return x.repeat(1, 16).cumsum(1)[:, -32:].clone()


@pytest.mark.rotates(group="inductor")
@pytest.mark.parametrize("sign", [1, -1])
def test_of_two_branches_that_values_decide_between_the_larger_one_is_predicted(sign):
    model, x = chain(depth=3), sign * batches(1, rows=256)[0].abs()

    def branching(x):
        made = torch.cond(x.sum() > 0, wide, torch.clone, (model[:3](x),))
        return loss(model[3:], made)

    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        own = gradients(model, compiled(branching, "100%", codegen="inductor", verify=True), x)
        record = records()[-1]
    held, predicted = record["measured"]["peak_bytes"], record["predicted"]["peak_bytes"]
    assert held == predicted if sign == 1 else held < predicted
    assert any("larger one is predicted" in str(each.message) for each in said) == (sign == -1)
    torch.testing.assert_close(own, gradients(model, branching, x))


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
    monkeypatch.setattr(untold, "tell", lambda sentence, *_: said.append(sentence))
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


def test_install_refuses_what_it_does_not_know():
    with pytest.raises(PlanError, match="install takes no option 'codegen'"):
        remat_studio.install("60%", codegen="inductor")
    assert remat_studio.install(None) is None


def test_records_of_earlier_processes_come_in_the_order_in_which_they_were_written(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    installation = remat_studio.install("61%")
    try:
        for when, digest in enumerate("cab"):
            installed._keep(installation._folder.name, {"graph": {"digest": digest}})
            os.utime(installation._folder / f"{digest}.json", (when, when))
        assert [record["graph"]["digest"] for record in installation.records()] == ["c", "a", "b"]
    finally:
        remat_studio.install(None)


@pytest.mark.rotates(group="inductor")
def test_what_was_compiled_before_install_is_compiled_anew_for_each_budget():
    model, x = chain(depth=3), batches(1, rows=256)[0]
    step = torch.compile(lambda x: loss(model, x))
    planned = [gradients(model, step, x)]
    begin = len(records())
    try:
        for budget in ("90%", "75%"):
            remat_studio.install(budget, time_limit=0.2)
            planned.append(gradients(model, step, x))
        assert [record["budget"] for record in records()[begin:]] == ["90%", "75%"]
    finally:
        remat_studio.install(None)
    gradients(model, step, x)  # which compiles
    held = []
    with measured(held):
        gradients(model, step, x)
    assert held[0] > records()[-1]["budget_bytes"]  # taken back
    for own in planned[1:]:
        for value, wanted in zip(own, planned[0], strict=True):
            torch.testing.assert_close(value, wanted)


class Words(nn.Module):
    """Gives a gradient that is sparse, of which no plan knows the size."""

    def __init__(self, breaks=False):
        super().__init__()
        torch.manual_seed(0)
        self.words, self.layer, self.breaks = nn.Embedding(9, 8, sparse=True), nn.Linear(8, 4), breaks

    def forward(self, ids):
        made = self.words(ids).tanh()
        if self.breaks:
            torch._dynamo.graph_break()
        return self.layer(made).exp().mean()


@pytest.mark.rotates(group="inductor")
@pytest.mark.parametrize("way", ["remat", "install"])
@pytest.mark.parametrize("breaks", [False, True])
def test_a_graph_that_cannot_be_planned_runs_as_inductor_compiles_it_and_that_is_said(way, breaks):
    model, ids = Words(breaks), torch.arange(64) % 9
    options = {"budget": "60%", "codegen": "inductor"}
    own = torch.compile(model, backend="remat", options=options) if way == "remat" else torch.compile(model)
    installation = remat_studio.install(budget="60%") if way == "install" else None
    try:
        with pytest.warns(UserWarning, match="cannot be planned .*: it runs as Inductor compiles it"):
            own = gradients(model, own, ids)
    finally:
        if installation:
            remat_studio.install(None)
    for value, wanted in zip(own, gradients(model, model, ids), strict=True):
        assert value.is_sparse == wanted.is_sparse
        torch.testing.assert_close(value.to_dense(), wanted.to_dense())


twice = doubling_operator("twice", times=16)


@pytest.mark.rotates(group="inductor")
def test_what_operators_take_that_are_not_pytorchs_is_known_from_the_second_step_on():
    records()  # ends what another test measures
    model, x = chain(depth=3), batches(1, rows=256)[0]
    step = compiled(lambda x: loss(model[3:], twice(model[:3](x))), "300KB", codegen="inductor")
    with pytest.warns(UserWarning, match="What remat_test::twice take is known only when they run"):
        for _ in range(2):
            gradients(model, step, x)
    own, found = gradients(model, step, x), []
    before, record = records()[-2:]
    model.zero_grad()
    with measured(found):
        step(x).backward()
    assert found == [record["predicted"]["peak_bytes"]]
    assert before["predicted"]["peak_bytes"] < found[0] < before["measured"]["peak_bytes"]
    torch.testing.assert_close(own, gradients(model, lambda x: loss(model[3:], 2 * model[:3](x)), x))
