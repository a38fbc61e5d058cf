# SPDX-License-Identifier: Apache-2.0
"""Batches of several sizes with Inductor's kernels: a plan for each, one for open sizes, or the cut of another."""

import contextlib

import pytest
import remat_studio
import torch
from remat_studio import torch_private
from remat_studio.comparison.held import measured
from remat_studio.train import lowerings, records
from support import quick_inductor
from test_train_held_outputs import no_kernels
from test_train_inductor import gradients, inductor, loss
from torch import nn
from training import batches, chain, compiled, planner

__all__ = ["inductor", "planner"]


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


def peak_of_a_step(model, step, rows):
    """What one step with so many rows holds."""
    return peak_of(model, step, batches(1, rows=rows)[0])


def peak_of(model, step, x):
    """What one step holds."""
    model.zero_grad()
    found = []
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
        torch._dynamo.mark_dynamic(x, 0, min=2, max=640)
        step = torch.compile(run)  # PyTorch's cache has it with the plan for 256
        step(x).backward()
        assert records()[-1]["open_sizes"] == [640]
        assert peak_of_a_step(model, step, 640) == records()[-1]["predicted"]["peak_bytes"]
    finally:
        remat_studio.install(None)


@pytest.mark.rotates(group="inductor")
def test_where_two_sizes_are_open_it_is_said_up_to_which_of_each_the_budget_holds():
    class Rows(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = chain(depth=1)

        def forward(self, x):
            return self.layers(x).square().mean()

    def data(batch, length):
        return torch.randn(batch, length, 8)

    torch.manual_seed(0)
    model, before = Rows(), len(records())
    torch._dynamo.reset()
    try:
        remat_studio.install("180KiB", time_limit=0.2)
        step = torch.compile(model, dynamic=True)
        with pytest.warns(UserWarning, match="Sizes of the step are left open"):
            step(data(16, 24)).backward()
        found = records()[-1]
        assert len(records()) == before + 1
        assert found["open_sizes"] == found["largest_size"]["planned"] == [16, 24]
        batch, length = found["largest_size"]["holds_to"]
        assert batch > 16 and length > 24
        peaks = []
        for size in ((16, length), (batch + 1, 24)):
            torch._dynamo.reset()  # a larger size runs once with the plan that there is
            step = torch.compile(model, dynamic=True)
            step(data(16, 24)).backward()
            peaks.append(peak_of(model, step, data(*size)))
        assert peaks[0] <= found["budget_bytes"] < peaks[1]
    finally:
        remat_studio.install(None)


@pytest.mark.rotates(group="inductor")
def test_a_size_that_two_inputs_have_is_one_open_size(tmp_path):
    transformers = pytest.importorskip("transformers")
    sizes = {"n_layer": 1, "n_embd": 16, "n_head": 2, "vocab_size": 64, "n_positions": 64, "use_cache": False}
    model = transformers.GPT2LMHeadModel(transformers.GPT2Config(**sizes, bos_token_id=0, eos_token_id=0))
    torch._dynamo.reset()
    try:
        remat_studio.install("1GiB", shapes=1)
        step = torch.compile(model)
        with pytest.warns(UserWarning, match=r"counts for sizes up to 24\."), quick_inductor(tmp_path), no_kernels():
            for length in (16, 24):
                ids = torch.randint(0, 64, (4, length))
                step(input_ids=ids, labels=ids.clone()).loss.backward()
        assert records()[-1]["open_sizes"] == [24] and records()[-1]["largest_size"]["planned"] == 24
    finally:
        remat_studio.install(None)


@pytest.mark.rotates(group="inductor")
def test_a_step_that_dynamo_begins_anew_since_a_number_is_a_constant_is_one_graph():
    model = chain(depth=1, width=28)

    def run(x, share):
        return loss(model, nn.functional.dropout(x, share))

    try:
        remat_studio.install("100%", time_limit=0.2)
        step, before = torch.compile(run, dynamic=True), len(records())
        with pytest.warns(UserWarning, match="Sizes of the step are left open"):
            step(batches(1, rows=160)[0], 0.25).backward()
        assert [record["open_sizes"] for record in records()[before:]] == [[160]]
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
