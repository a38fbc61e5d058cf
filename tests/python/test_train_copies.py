# SPDX-License-Identifier: Apache-2.0
"""Plans that copy to host memory and back: the bits of the plain step, in the order of the plan."""

import fake_streams
import pytest
import remat_studio
import torch
from remat_studio.train import PlanError, applied, copies, partition, planning
from remat_studio.train.partition.moves import Moves
from torch import nn
from training import assert_equal_runs, batches, chain, compiled, mean_square, planner, train

__all__ = ["planner"]

COPIES = ("offload", "prefetch")


def squares(output):
    """The loss."""
    return output.square().mean()


@pytest.fixture
def partitions(monkeypatch):
    """All partitions that are made."""
    made = []

    class Kept(partition.Partition):
        def __init__(self, step_graph, steps):
            super().__init__(step_graph, steps)
            made.append(self)

    for module in (applied, planning):
        monkeypatch.setattr(module, "Partition", Kept)
    return made


def moved(steps):
    """The copies of a plan in their order."""
    return [step["do"] for step in steps if step["do"] in COPIES]


def assert_copies_in_order(made):
    """Both graphs have exactly the plan's copies, in its order and between the same ops."""
    names = {copies.to_host: "offload", copies.to_device: "prefetch"}
    nodes = [*made.forward.nodes, *made.backward.nodes]
    ran = [names[node.target] for node in nodes if node.target in names]
    assert ran == moved(made.steps)
    assert {"offload", "prefetch"} <= set(ran)
    assert any(node.target is copies.to_host for node in made.forward.nodes)
    assert any(node.target is copies.to_device for node in made.backward.nodes)


def test_a_compiled_step_parks_activations(partitions):
    torch.manual_seed(2)
    layers = (nn.Linear(8, 8), nn.BatchNorm1d(8), nn.GELU(), nn.Dropout(0.3))
    for model, inputs in ((chain(), batches(3)), (nn.Sequential(*layers, *layers), batches(3))):
        torch._dynamo.reset()
        with_copies = train(model, inputs, lambda step: compiled(step, "60%", solver="offload-greedy", device="h100"))
        assert_copies_in_order(partitions[-1])
        torch._dynamo.reset()
        assert_equal_runs(with_copies, train(model, inputs, lambda step: compiled(step, "100%")))


def test_the_certificate_counts_what_is_parked():
    model, x = chain(width=128), batches(1, rows=512)[0]
    (record,) = remat_studio.certify(lambda x: mean_square(model, x), x, budget="60%", solver="offload-greedy")
    certificate = record["certificate"]
    assert certificate["equal"] is True and record["outside_bytes"] > 0
    assert certificate["measured"]["peak_bytes"] <= certificate["budget_bytes"] + certificate["outside_bytes"]


def test_a_plan_of_a_trace_parks_activations(partitions, tmp_path):
    inputs, model, plain = batches(2), chain(), chain()
    path = remat_studio.trace(model, (inputs[0],), squares, tmp_path / "model.pt2")
    plan = remat_studio.plan(path, "70%", solver="offload-greedy", time_limit=1)
    assert set(moved(plan.record["steps"])) == set(COPIES)
    step = plan.apply(model, (inputs[0],), squares)
    assert_copies_in_order(partitions[-1])
    for x in inputs:
        own, expected = step(x), squares(plain(x))
        own.backward()
        expected.backward()
        assert torch.equal(own, expected)
    assert all(torch.equal(a.grad, b.grad) for a, b in zip(model.parameters(), plain.parameters(), strict=True))


def test_strides_stay():
    for value in (torch.randn(4, 6).t(), torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last)):
        host = copies.to_host(value)
        again = copies.to_device(host, value.device)
        assert host.data_ptr() != value.data_ptr() != again.data_ptr()
        assert again.stride() == value.stride() and torch.equal(again, value)


def test_what_cannot_be_moved_is_said(tmp_path):
    model, x = chain(), batches(1)[0]
    path = remat_studio.trace(model, (x,), squares, tmp_path / "model.pt2")
    plan = remat_studio.plan(path, "100%", time_limit=1)
    plan.record["steps"].insert(0, {"do": "offload", "storage": "p_0_weight"})
    with pytest.raises(PlanError, match="parameters and inputs of a step in training stay where they are"):
        plan.apply(model, (x,), squares)


def test_inductor_refuses_copies():
    model, x = chain(), batches(1)[0]
    step = compiled(lambda x: mean_square(model, x), "70%", solver="offload-greedy", codegen="inductor")
    with pytest.raises(Exception, match="which Inductor's code does not do; plan without copies"):
        step(x)


def parked_step(step):
    """A step whose plan parks activations."""
    return compiled(step, "60%", solver="offload-greedy", device="h100")


def test_copies_run_beside_what_is_computed(partitions, monkeypatch):
    lanes = fake_streams.on_a_cpu(monkeypatch, copies)
    model, inputs = chain(), batches(3)
    with_copies = train(model, inputs, parked_step)
    assert_copies_in_order(partitions[-1])
    (lane,) = lanes.values()
    assert lane.out.waiting == lane.back.waiting == 0
    torch._dynamo.reset()
    assert_equal_runs(with_copies, train(model, inputs, lambda step: compiled(step, "100%")))
    nodes = [*partitions[0].forward.nodes, *partitions[0].backward.nodes]
    begun = {node: place for place, node in enumerate(nodes) if node.target in (copies.to_host, copies.to_device)}
    waits = {node.args[0]: place for place, node in enumerate(nodes) if node.target is copies.wait_for}
    assert begun.keys() == waits.keys()
    assert any(waits[node] > place + 1 for node, place in begun.items())


@pytest.mark.parametrize(
    ("wait", "less"),
    [
        ("wait_to_read", lambda _self, _storage: None),
        ("wait_to_end", Moves.wait_to_read),
    ],
)
def test_a_wait_that_is_missing_is_found(wait, less, monkeypatch):
    fake_streams.on_a_cpu(monkeypatch, copies)
    monkeypatch.setattr(Moves, wait, less)
    model, inputs = chain(), batches(2)
    with pytest.raises((AssertionError, RuntimeError), match="given up|instead of|differs"):
        own = train(model, inputs, parked_step)
        torch._dynamo.reset()
        assert_equal_runs(own, train(model, inputs, lambda step: compiled(step, "100%")))
