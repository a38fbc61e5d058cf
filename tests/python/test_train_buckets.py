# SPDX-License-Identifier: Apache-2.0
"""One plan for several sizes of a step, and the largest size that a plan holds its budget at."""

import pytest
import torch
from remat_studio.train import buckets, memory, planner as planning, planning as making, records
from torch import nn
from torch.nn.functional import cross_entropy
from training import assert_equal_runs, batches, chain, compiled, planner, train

__all__ = ["planner"]


@pytest.fixture
def solves(monkeypatch):
    """Budgets of all plans that were looked for."""
    made, make_plan = [], planning.make_plan

    def counted(graph, budget_bytes, *rest, **more):
        made.append(budget_bytes)
        return make_plan(graph, budget_bytes, *rest, **more)

    monkeypatch.setattr(planning, "make_plan", counted)
    return made


@pytest.fixture
def graphs(monkeypatch):
    """The graphs that were planned, with their plans."""
    made, sized = [], buckets.sized
    monkeypatch.setattr(making.buckets, "sized", lambda graph, *rest: made.append((graph, sized(graph, *rest))) or made[-1][1])
    return made


def lengths(*rows):
    """A batch of each length."""
    return [batches(1, each)[0] for each in rows]


def test_a_smaller_step_takes_the_plan_of_a_larger_one(solves):
    model, inputs = chain(), lengths(640, 600, 560, 200, 640)
    own = train(model, inputs, lambda step: compiled(step, "60%", buckets=1.25))
    made = records()[-4:]
    assert [record["bucket"] for record in made] == [None, "step", "step", None]
    assert len(solves) == 2
    for record in made:
        assert record["predicted"]["peak_bytes"] <= record["budget_bytes"]
    assert_equal_runs(own, train(model, inputs))


def test_each_size_is_planned_without_buckets(solves):
    train(chain(), lengths(64, 60), lambda step: compiled(step, "60%"))
    assert len(solves) == 2 and records()[-1]["bucket"] is None


def test_the_largest_size_that_a_plan_holds_is_true(graphs):
    model = chain()
    step = lambda x: model(x).square().mean()  # noqa: E731
    run = compiled(step, "60%", buckets=1)
    for x in lengths(64, 96):
        run(x).backward()
    record = records()[-1]
    assert record["largest_size"]["planned"] == 96
    most = record["largest_size"]["holds_to"]
    assert 96 <= most < 120
    steps = graphs[-1][1].plan["steps"]
    peaks = []
    for rows in (most, most + 1):
        run(lengths(rows)[0]).backward()
        peaks.append(memory.use_of(graphs[-1][0], steps).peak_bytes)
    assert peaks[0] <= record["budget_bytes"] < peaks[1]


def test_what_grows_in_another_way_has_no_largest_size():
    assert buckets._power(200, 100, 2) == 1 and buckets._power(400, 100, 2) == 2 and buckets._power(7, 7, 2) == 0
    assert buckets._power(130, 100, 2) is None and buckets._power(0, 100, 2) is None
    assert buckets._dims([(4, 8), (8,)], [(6, 8), (8,)]) == {(4, 6)}
    assert buckets._dims([(4, 8)], [(4,)]) == set()


@pytest.mark.filterwarnings("ignore:The step holds")
def test_a_step_that_is_planned_again_for_what_is_beside_it_gets_a_plan_of_its_own():
    torch.manual_seed(0)
    layers = [layer for _ in range(8) for layer in (nn.Linear(64, 64), nn.GELU())]
    model = nn.Sequential(*layers, nn.Linear(64, 512))
    call, x, wanted = compiled(model, "75%", buckets=1.25), torch.randn(512, 64), torch.randint(0, 512, (512,))
    for _ in range(4):
        cross_entropy(call(x), wanted).backward()
    last = records()[-1]
    assert last["bucket"] is None
    assert last["step"]["peak_bytes"] <= last["step"]["budget_bytes"]
