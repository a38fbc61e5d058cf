# SPDX-License-Identifier: Apache-2.0
"""A step that goes by values of activations is traced for one batch, with what it decided as constants."""

import json
import random
import re
import subprocess
import zipfile
from random import random as from_module

import numpy
import pytest
import remat_studio
import test_errors as bodies
import torch
from remat_studio import joint
from remat_studio.executable import find
from remat_studio.losses import Loss
from support import assert_same, needs_libtorch, refused, run_archive, run_eager, traced, without_data
from torch import nn
from training import planner

__all__ = ["planner"]


def lists(model, y, x):
    first = (y > 0).sum(-1).tolist()[0]
    return torch.cat([part.sum(0) * len(part) for part in y.T.repeat(3, 1).split([first, 12 - first])])


def selected(model, y, x):
    return torch.masked_select(y, y > 0).square().sum() + torch.unique(y.round()).numel() * y.sum()


def dropped(model, y, x):
    return nn.functional.dropout(y, 0.5)[y > 0]


def of_constants(model, y, x):
    return y * y.max().item() * torch.tensor([3]).item()


def assigned(model, y, x):
    mask, y = y > 0, y.clone()
    y[mask] = model.scale.sum() * y[mask]
    return y


def repeated(model, y, x):
    return torch.repeat_interleave(y.T, (y[0] > 0).long() + 1, dim=0)


BODIES = (
    *(bodies.branch, bodies.loop, bodies.item, bodies.python_float, bodies.boolean_mask, bodies.nonzero),
    *(bodies.experts, bodies.masked_assignment, bodies.unique, bodies.condition),
    *(lists, selected, dropped, of_constants, assigned, repeated),
)


def example(body):
    torch.manual_seed(0)
    return bodies.Model(body).train(), (torch.randn(2, 4),)


def remat(*arguments):
    done = subprocess.run([find(), *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def comparison_in(path):
    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read("archive/extra/remat_comparison.json"))


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.__name__)
def test_the_graph_computes_what_the_model_does_on_this_batch(body, tmp_path):
    model, args = example(body)
    path = tmp_path / "model.pt2"
    program = traced(model, args, path)
    record = comparison_in(path)
    assert record["verdict"] == "equal", record["why"]
    assert "This is the graph of this batch" in record["batch"]
    assert_same(run_archive(program, args), run_eager(model, args))


@pytest.mark.parametrize("body", [*BODIES, "wide"], ids=lambda body: getattr(body, "__name__", body))
@needs_libtorch
def test_a_plan_of_it_runs_on_values_that_are_made_up(body, tmp_path):
    if body == "wide":
        torch.manual_seed(0)
        model, args, budget = Experts(), (torch.randn(512, 32),), "60%"
    else:
        (model, args), budget = example(body), "100%"
    path, plan = tmp_path / "model.pt2", tmp_path / "plan.json"
    remat_studio.trace(model, args, None, path, weights=False)
    how = ["--budget", budget, "--chunk", "off", "--time-limit", "1", "--device", "here"]
    remat("plan", path, *how, "-o", plan)
    answer = json.loads(remat("validate", path, plan, "--json"))
    assert answer["loss_equal"] and not answer["differences"], answer


class Experts(nn.Module):
    """Layers in which each expert works on the rows that were sent to it."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.ModuleList(nn.Linear(32, 32) for _ in range(3)) for _ in range(4))

    def forward(self, x):
        for layer in self.layers:
            chosen, made = x[:, :3].argmax(-1), torch.zeros_like(x)
            for number, expert in enumerate(layer):
                rows = torch.where(chosen == number)[0]
                made = made.index_add(0, rows, torch.tanh(expert(x[rows])))
            x = x + nn.functional.dropout(made, 0.1)
        return x


def test_random_numbers_that_decide_are_those_of_the_graph(tmp_path):
    torch.manual_seed(0)
    path = remat_studio.trace(Experts().train(), (torch.randn(64, 32),), None, tmp_path / "model.pt2")
    record = comparison_in(path)
    assert record["verdict"] in ("equal", "explained"), record["why"]
    assert {row["explained_by"] for row in record["tensors"]} <= {"", "dropout's generator"}


class Drops(nn.Linear):
    """Leaves a layer out now and then, as LayerDrop does, by a number that nothing else reads."""

    def forward(self, x):
        for _ in range(4):
            if torch.rand([]) > 0.3:
                x = x + nn.functional.dropout(torch.tanh(super().forward(x)), 0.1)
        return x


def test_numbers_that_are_drawn_to_decide_are_drawn_by_the_graph_too(tmp_path):
    torch.manual_seed(0)
    path = remat_studio.trace(Drops(32, 32).train(), (torch.randn(8, 32),), None, tmp_path / "model.pt2")
    assert comparison_in(path)["verdict"] in ("equal", "explained"), comparison_in(path)["why"]


class Attention(nn.Linear):
    """Attends to itself, and then goes on with some rows."""

    def forward(self, x):
        rows = super().forward(x)[None, None]
        y = nn.functional.scaled_dot_product_attention(rows, rows, rows, dropout_p=0.1, is_causal=True)[0, 0]
        return y[y.sum(-1) > 0]


@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_the_kernels_of_a_gpu_need_no_gpu(target, tmp_path):
    torch.manual_seed(0)
    path = remat_studio.trace(Attention(8, 8), (torch.randn(16, 8),), None, tmp_path / "model.pt2", target=target)
    assert comparison_in(path)["verdict"] in ("equal", "explained"), comparison_in(path)["why"]
    kernel = "_scaled_dot_product_efficient_attention" if target == "cuda" else "_scaled_dot_product_flash"
    assert any(kernel in name for name in remat("info", path, "--json").split()) or target == "cpu"


class Masked(nn.Linear):
    """Hides what a generator of NumPy picks, as speech models do."""

    def forward(self, x):
        y = super().forward(x)
        y[torch.tensor(numpy.random.rand(*x.shape) < 0.5)] = self.bias.sum()
        return y


def test_numbers_of_numpy_are_those_of_the_step_that_it_is_held_against(tmp_path):
    state = numpy.random.get_state()[1].copy()
    path = remat_studio.trace(Masked(4, 4), (torch.ones(8, 4),), None, tmp_path / "model.pt2")
    assert comparison_in(path)["verdict"] == "equal", comparison_in(path)["why"]
    assert (numpy.random.get_state()[1] == state).all()


def test_the_step_that_is_run_leaves_the_model_as_it_was(tmp_path):
    def written(model, y, x):
        with torch.no_grad():
            model.scale.mul_(2)
        return y * model.scale if y.sum() > 0 else y

    model, args = example(written)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    state = torch.get_rng_state()
    assert "the forward changes the parameter scale in place" in refused(tmp_path, model, args)
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    assert all(parameter.grad is None for parameter in model.parameters())
    assert torch.equal(torch.get_rng_state(), state)


def test_it_says_which_line_decided_in_the_trace_and_in_info(tmp_path, capsys):
    model, args = example(bodies.branch)
    path = remat_studio.trace(model, args, None, tmp_path / "model.pt2")
    sentence = (
        r"This is the graph of this batch with these weights, .*another batch may go another way. "
        rf".*test_errors.py:{bodies.line_of(bodies.branch)}: .*torch.compile\(step, backend=\"remat\"\)"
    )
    assert re.search(sentence, capsys.readouterr().err)
    assert re.search(sentence, " ".join(remat("info", path).split()))
    assert re.search(sentence, json.loads(remat("info", path, "--json"))["eager"]["sentence"])


def test_a_trace_that_holds_for_all_batches_says_no_such_thing(tmp_path, capsys):
    path = remat_studio.trace(nn.Linear(4, 4), (torch.ones(2, 4),), None, tmp_path / "model.pt2")
    assert comparison_in(path)["batch"] == ""
    assert "this batch" not in capsys.readouterr().err + remat("info", path)


def test_a_step_without_values_or_too_large_is_refused(tmp_path, monkeypatch):
    assert "decides in Python on a value" in refused(tmp_path, without_data(lambda: bodies.Model(bodies.branch)))
    monkeypatch.setattr("remat_studio.comparison.estimate.MOST_SECONDS", 1e-4)
    model, args = example(bodies.branch)
    assert "decides in Python on a value" in refused(tmp_path, model, args)
    path = remat_studio.trace(model, args, None, tmp_path / "model.pt2", compare="always")
    assert comparison_in(path)["verdict"] == "equal"
    monkeypatch.undo()
    monkeypatch.setattr("remat_studio.comparison.estimate._LARGE", 1)
    free = iter([1000, 900, 499])
    monkeypatch.setattr("remat_studio.comparison.estimate.free_bytes", lambda gpu: next(free))
    (tmp_path / "other").mkdir()
    assert "decides in Python on a value" in refused(tmp_path / "other", model, args)


def test_a_model_that_decides_otherwise_when_it_is_traced_is_refused(tmp_path):
    model, args = example(lambda model, y, x: y * y.max().item() if type(y.data) is torch.Tensor else y[y > 0])
    assert "depends on values" in refused(tmp_path, model, args)


def test_no_plan_of_it_trains_on_other_batches(tmp_path, planner):
    model, args = example(bodies.branch)
    path = remat_studio.trace(model, args, None, tmp_path / "model.pt2")
    plan = remat_studio.plan(path, "100%", time_limit=1)
    with pytest.raises(remat_studio.TraceError, match="the model decides in Python on a value"):
        plan.apply(model, args)
    plan.save(tmp_path / "plan.json")
    done = subprocess.run(
        [find(), "export", path, tmp_path / "plan.json", "--as", "python", "-o", tmp_path / "plan.py"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and "is the graph of one batch with these weights" in done.stderr


def test_a_planned_module_goes_another_way_on_another_batch(planner):
    model, args = example(bodies.branch)
    module = remat_studio.planned(model, args, budget="100%", time_limit=0.2)
    for batch in (args[0], -args[0], 3 * args[0]):
        results = []
        for run in (model, module):
            model.zero_grad()
            Loss()(run(batch)).backward()
            results.append([p.grad.clone() for p in model.parameters() if p.grad is not None])
        assert all(map(torch.equal, *results))


@pytest.mark.parametrize("draw", [lambda: random.random(), from_module, lambda: float(numpy.random.beta(1, 1))])
def test_what_python_and_numpy_draw_is_told_of(draw, tmp_path, capsys):
    class Mixes(nn.Linear):
        def forward(self, x):
            return super().forward(x) * draw()

    model, x = Mixes(4, 4), (torch.ones(2, 4),)
    remat_studio.trace(model, x, path=tmp_path / "model.pt2")
    said = capsys.readouterr().err
    assert " draws from " in said and ("test_decisions.py:" in said) == (draw is not from_module)
    with pytest.warns(UserWarning, match="planned in parts.* draws from "):
        planned = remat_studio.planned(model, x, budget="100%", time_limit=0.2)
    assert not planned(*x).equal(planned(*x))


def test_a_seed_of_python_within_the_step_repeats_itself_and_is_planned(tmp_path, capsys):
    class Mixes(nn.Linear):
        def forward(self, x):
            random.seed(3)
            return super().forward(x) * random.random()

    remat_studio.trace(Mixes(4, 4), (torch.ones(2, 4),), path=tmp_path / "model.pt2")
    assert " draws from " not in capsys.readouterr().err


@pytest.mark.parametrize("chance", [0.0, 0.01])
def test_layers_that_are_left_out_with_a_chance_of_zero_draw_for_nothing(chance, planner):
    class Drops(nn.Linear):
        def forward(self, x):
            return x if random.uniform(0, 1) < chance else super().forward(x)

    captured = joint.capture(*step_and_call(Drops(4, 4), torch.ones(2, 4)))
    assert bool(captured.drawn) == (chance > 0)


def step_and_call(model, x):
    call = joint.Call(model, (x,))
    return joint.TrainingStep(model, Loss(None), call), call
