# SPDX-License-Identifier: Apache-2.0
"""A plan that was made for a trace, in the window or by ``remat plan``, applied to the model."""

import importlib
import pathlib
import pickle
import sys

import pytest
import remat_studio
import torch
from remat_studio.train import PlanError
from test_train_semantics import Normed
from torch import nn
from training import assert_equal_runs, batches, chain, ended, planner

__all__ = ["planner"]


def squares(output):
    """The loss."""
    return output.square().mean()


def trained(model, step, inputs):
    """Some steps of AdamW."""
    update = torch.optim.AdamW(model.parameters(), 1e-2)
    losses = []
    torch.manual_seed(7)
    for x in inputs:
        update.zero_grad()
        losses.append(step(x))
        losses[-1].backward()
        update.step()
    return ended(model, [loss.detach() for loss in losses])


def planned(model, x, folder, budget):
    """The plan for a trace of the model."""
    path = remat_studio.trace(model, (x,), squares, folder / "model.pt2")
    return remat_studio.plan(path, budget, time_limit=1)


def test_a_plan_of_a_trace_trains_as_the_model_does(tmp_path):
    inputs, model, plain = batches(2), Normed(), Normed()
    plan = planned(model, inputs[0], tmp_path, "70%")
    assert plan.record["predicted"]["time_us"] > plan.record["predicted"]["keep_all_time_us"]
    plan.save(tmp_path / "plan.json")
    names = list(model.state_dict())
    step = remat_studio.read_plan(tmp_path / "plan.json").apply(model, (inputs[0],), squares)
    seen = []
    model.head.weight.register_hook(lambda gradient: seen.append(gradient.shape))
    own = trained(model, step, inputs)
    assert list(model.state_dict()) == names and len(seen) == 2
    assert_equal_runs(own, trained(plain, lambda x: squares(plain(x)), inputs))


@pytest.mark.rotates(group="long")
def test_a_plan_for_a_graph_that_is_wrong_warns(tmp_path):
    """The graph is traced anew, and held against plain PyTorch: scan's own gradient is wrong where it has no state."""
    sys.path.append(str(pathlib.Path(__file__).parent / "situations"))
    model, args, loss_fn = importlib.import_module("scan_recurrence").make()
    plan = remat_studio.plan(remat_studio.trace(model, args, loss_fn, tmp_path / "model.pt2"), "100%", time_limit=1)
    with pytest.warns(UserWarning, match="not what PyTorch computes.*Write the loop in Python"):
        assert plan.apply(model, args, loss_fn).comparison["verdict"] == "different"
    assert plan.apply(model, args, loss_fn, compare="never").comparison["verdict"] == "not compared"
    x = batches(1)[0]
    assert planned(chain(), x, tmp_path, "100%").apply(chain(), (x,), squares).comparison["verdict"] == "equal"


def test_random_ops_draw_the_same_again(tmp_path):
    def run(budget):
        torch.manual_seed(1)
        model = nn.Sequential(*(f for _ in range(4) for f in (nn.Linear(8, 8), nn.Tanh(), nn.Dropout(0.5))))
        plan = planned(model, batches(1)[0], tmp_path, budget)
        return trained(model, plan.apply(model, tuple(batches(1)), squares), batches(2)), plan

    own, plan = run("55%")
    computed = [step["op"] for step in plan.record["steps"] if step["do"] == "compute"]
    assert any(computed.count(op) > 1 for op in computed if "dropout" in op)
    assert_equal_runs(own, run("100%")[0])


def test_another_graph_is_refused_with_what_differs(tmp_path):
    x = batches(1)[0]
    plan = planned(chain(depth=2), x, tmp_path, "90%")
    with pytest.raises(PlanError, match=r"for another graph \(Sequential\): it has \d+ ops, and this step \d+"):
        plan.apply(chain(depth=3), (x,), squares)
    with pytest.raises(PlanError, match="but other sizes or another order"):
        plan.apply(chain(depth=2, width=16), (x,), squares)


def test_other_shapes_modes_and_pickling_are_refused(tmp_path):
    model, x = chain(depth=2), batches(1)[0]
    step = planned(model, x, tmp_path, "90%").apply(model, (x,), squares)
    with pytest.raises(PlanError, match=r"are float32 \(3, 8\), and the plan is for float32 \(64, 8\)"):
        step(x[:3])
    model.eval()
    with pytest.raises(PlanError, match="for the model in training mode"):
        step(x)
    with pytest.raises(PlanError, match="cannot be pickled; keep the model's state_dict and the plan"):
        pickle.dumps(step)


def test_a_model_that_changed_since_is_refused_or_told(tmp_path):
    model, x = chain(depth=2), batches(1)[0]
    step = planned(model, x, tmp_path, "90%").apply(model, (x,), squares)
    model.step_count = 1
    with pytest.warns(UserWarning, match="as it was planned, with step_count of the model as it was then"):
        step(x)
    hook = model[0].register_forward_hook(lambda module, given, out: out * 2)
    with pytest.raises(PlanError, match="The hooks of the module 0 changed since the plan was applied"):
        step(x)
    hook.remove()
    step(x)
    model[0].requires_grad_(False)
    with pytest.raises(PlanError, match="Other parameters have gradients now"):
        step(x)
    model[0].requires_grad_(True)
    model[2] = nn.Sigmoid()
    with pytest.raises(PlanError, match="The kind of the module 2 changed"):
        step(x)


def test_double_backward_is_refused_with_a_sentence(tmp_path):
    model, x = chain(depth=2), batches(1)[0].requires_grad_()
    loss = planned(model, x, tmp_path, "90%").apply(model, (x,), squares)(x)
    with pytest.raises(PlanError, match="no gradients of gradients; compute those with the model itself"):
        torch.autograd.grad(loss, x, create_graph=True)


def test_a_file_that_is_no_plan_is_said(tmp_path):
    with pytest.raises(PlanError, match="cannot be read"):
        remat_studio.read_plan(tmp_path / "none.json")
    (tmp_path / "broken.json").write_text("{")
    with pytest.raises(PlanError, match="is no JSON"):
        remat_studio.read_plan(tmp_path / "broken.json")
