# SPDX-License-Identifier: Apache-2.0
"""Sequences of given lengths, and loops and branches of PyTorch's own, are traced as the operators that they run."""

import json
import zipfile

import pytest
import remat_studio
import torch
from remat_studio.train import PlanError
from support import run_archive, run_eager, traced
from torch import nn
from torch._higher_order_ops.map import map as map_rows
from torch._higher_order_ops.scan import scan
from torch._higher_order_ops.while_loop import while_loop
from training import planner

__all__ = ["planner"]


def comparison(path):
    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read("archive/extra/remat_comparison.json"))


class Last(nn.Module):
    """A recurrent network on packed sequences, and a layer on the last state of each."""

    def __init__(self, kind):
        super().__init__()
        self.rnn, self.head = getattr(nn, kind)(4, 6, num_layers=2, batch_first=True), nn.Linear(6, 3)

    def forward(self, x, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        out, ends = nn.utils.rnn.pad_packed_sequence(self.rnn(packed)[0], batch_first=True, padding_value=-1.0)
        return self.head(out)[torch.arange(len(ends)), ends - 1].square().mean()


LENGTHS = torch.tensor([3, 7, 4, 4])


@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
def test_packed_sequences_are_traced_for_their_lengths(kind, tmp_path, capsys):
    model, args = Last(kind), (torch.randn(4, 7, 4), LENGTHS)
    program = traced(model, args, tmp_path / "model.pt2", compare="always")
    assert "by the values of lengths" in capsys.readouterr().err
    record = comparison(tmp_path / "model.pt2")
    # Eager's GRU computes sigmoids of slices in place, by other instructions than those of a whole tensor.
    assert record["verdict"] == "equal" or kind == "GRU" and "rounding of aten.sigmoid" in record["why"], record["why"]
    assert program.constants["lengths_0"].tolist() == [7, 4, 4, 3], "runs with other arguments would find other shapes"
    run_archive(program, (args[0], torch.tensor([7, 1, 2, 2])))


@pytest.mark.parametrize(
    ("kind", "more", "is_said"), [("LSTM", {}, True), ("LSTM", {"proj_size": 3}, False), ("GRU", {}, False)]
)
def test_steps_in_place_of_one_kernel_of_onednn_are_said(planner, recwarn, kind, more, is_said):
    model, x = getattr(nn, kind)(4, 6, **more), torch.randn(5, 2, 4)
    planned = remat_studio.planned(model, x, budget="100%", time_limit=0.2)
    planned(x)[0].sum().backward()
    said = sum("one kernel of oneDNN's" in str(each.message) for each in recwarn)
    assert said == is_said == any("mkldnn" in each.name for each in _ran(model, x))


def _ran(model, x):
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as seen:
        model(x)
    return seen.events()


@pytest.mark.rotates(group="long")
def test_other_lengths_are_refused_by_a_plan_and_planned_by_a_module(tmp_path, planner):
    model, x = Last("LSTM"), torch.randn(4, 7, 4)
    plan = remat_studio.plan(remat_studio.trace(model, (x, LENGTHS), path=tmp_path / "model.pt2"), "100%", time_limit=1)
    step = plan.apply(model, (x, LENGTHS))
    assert torch.equal(step(x, LENGTHS), model(x, LENGTHS))
    with pytest.raises(PlanError, match="by the values of lengths, and the plan is for other values"):
        step(x, LENGTHS - 1)
    module = remat_studio.planned(model, (x, LENGTHS), budget="100%", time_limit=1)
    for lengths in (LENGTHS, LENGTHS - 1):
        assert torch.equal(module(x, lengths), model(x, lengths))


class Loop(nn.Module):
    def __init__(self, run):
        super().__init__()
        self.layer, self.run = nn.Linear(4, 4), run

    def forward(self, x):
        return self.run(self.layer, x).square().mean()


def rows_by_map(layer, x):
    return map_rows(lambda row: torch.tanh(layer(row)), x)


def rows_by_scan(layer, x):
    def cell(state, row):
        state = torch.tanh(layer(row) + state)
        return state, state.clone()

    return scan(cell, x[0], x)[1]


def three_times(layer, x):
    return while_loop(lambda i, _: i < 3, lambda i, y: (i + 1, torch.tanh(layer(y))), (torch.tensor(0), x))[1]


def positive(layer, x):
    return torch.cond(x[0, 0] > 10, lambda y: layer(y), lambda y: layer(y).sin(), (x,))


def rows_in_python(layer, x):
    return torch.stack([torch.tanh(layer(row)) for row in x])


def states_in_python(layer, x):
    states = [x[0]]
    for row in x:
        states.append(torch.tanh(layer(row) + states[-1]))
    return torch.stack(states[1:])


def three_in_python(layer, x):
    for _ in range(3):
        x = torch.tanh(layer(x))
    return x


@pytest.mark.parametrize(
    ("run", "in_python"),
    [
        (rows_by_map, rows_in_python),
        (rows_by_scan, states_in_python),
        (three_times, three_in_python),
        (positive, lambda layer, x: layer(x).sin()),
    ],
)
def test_a_loop_of_higher_order_is_its_steps(run, in_python, tmp_path, capsys):
    model, args = Loop(run), (torch.randn(5, 4),)
    program = traced(model, args, tmp_path / "model.pt2", compare="never")
    assert "are traced one by one" in capsys.readouterr().err
    step = run_archive(program, args)
    model.run = in_python
    expected = run_eager(model, args)
    assert torch.equal(step.loss, expected.loss)
    for name, gradient in expected.gradients.items():
        assert torch.allclose(step.gradients[name], gradient, rtol=1e-5, atol=1e-6), name


def test_a_loop_whose_own_gradient_is_off_is_said(tmp_path):
    """In PyTorch 2.11 no gradient goes from step to step where the first state of a scan needs none."""
    path = remat_studio.trace(Loop(rows_by_scan), (torch.randn(5, 4),), path=tmp_path / "model.pt2", compare="always")
    record = comparison(path)
    assert record["verdict"] == "different" and "PyTorch's own loop (scan" in record["why"]


def test_what_pytorch_cannot_capture_with_a_loop_runs_without_a_plan(planner):
    model, x = Loop(rows_by_scan), torch.randn(5, 4)
    step = torch.compile(model, backend="remat", options={"budget": "100%", "time_limit": 0.2})
    with pytest.warns(UserWarning, match="cannot capture a graph with scan"):
        step(x).backward()
    found, model.layer.weight.grad = model.layer.weight.grad, None
    model(x).backward()
    assert torch.equal(found, model.layer.weight.grad)
