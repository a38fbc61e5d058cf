# SPDX-License-Identifier: Apache-2.0
"""Further sizes of a step begin with the plan of another one, and planning takes no longer than training."""

import pytest
import torch
from remat_studio import torch_private
from remat_studio.train import lowerings, planner as planning, records
from remat_studio.train.pace import Pace
from support import quick_inductor
from training import assert_equal_runs, batches, chain, compiled, planner, train

__all__ = ["planner"]


class Clock:
    """Time that passes when it is told to."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def plan(pace, clock, size, seconds):
    """Plan a size for so long."""
    with pace.planning(size):
        clock.now += seconds


def test_each_further_size_has_half_the_time_down_to_a_tenth():
    clock = Clock()
    pace = Pace(clock)
    plan(pace, clock, 1, 10)
    clock.now += 1000
    assert [pace.seconds(10, size, True) for size in (2, 3, 4, 5, 20)] == [5, 2.5, 1.25, 1, 1]


def test_further_sizes_are_planned_no_longer_than_all_else_has_taken():
    clock = Clock()
    pace = Pace(clock)
    plan(pace, clock, 1, 10)
    assert pace.seconds(10, 2, True) == 0
    clock.now += 3
    assert pace.seconds(10, 2, True) == pytest.approx(3)
    plan(pace, clock, 2, 2)
    assert pace.seconds(10, 3, True) == pytest.approx(1)
    assert pace.seconds(10, 3, False) == 2.5  # there is nothing to begin with


@pytest.fixture
def calls(monkeypatch):
    """The flags of all calls of ``remat plan``."""
    made, try_plan = [], planning.try_plan
    monkeypatch.setattr(planning, "try_plan", lambda *args: made.append(args[2]) or try_plan(*args))
    return made


def limit(flags):
    """Seconds of a call."""
    return float(flags[flags.index("--time-limit") + 1])


def test_further_sizes_begin_with_a_plan_and_hold_the_budget(calls):
    model = chain()
    inputs = [batches(1, rows)[0] for rows in (64, 96, 40, 80)]
    own = train(model, inputs, lambda step: compiled(step, "60%", time_limit=2))
    assert ["--start" in flags for flags in calls] == [False, True, True, True]
    assert limit(calls[0]) == 2
    assert all(limit(flags) <= most for flags, most in zip(calls[1:], (1, 0.5, 0.25), strict=True))
    made = records()[-4:]
    assert all(record["predicted"]["peak_bytes"] <= record["budget_bytes"] for record in made)
    first, *others = (record["predicted"]["time_us"] / record["predicted"]["keep_all_time_us"] for record in made)
    assert max(others) < 1.1 * first
    assert_equal_runs(own, train(model, inputs))


def test_plans_of_further_sizes_come_from_the_disk_and_are_none_of_first_ones(calls):
    inputs = [batches(1, rows)[0] for rows in (64, 96)]
    for _ in range(2):
        torch._dynamo.reset()
        train(chain(), inputs, lambda step: compiled(step, "60%"))
    assert [record["from_cache"] for record in records()[-4:]] == [False, False, True, True]
    torch._dynamo.reset()
    train(chain(), inputs[1:], lambda step: compiled(step, "60%"))  # a first size is looked for with all the time
    assert not records()[-1]["from_cache"] and "--start" not in calls[-1]


def test_a_planner_that_begins_with_nothing_takes_the_plan_where_its_own_is_slower(monkeypatch):
    try_plan = planning.try_plan

    def fails(model, budget, flags):
        return (None, {"message": "no"}) if "--start" in flags else try_plan(model, budget, flags)

    monkeypatch.setattr(planning, "try_plan", fails)
    inputs = [batches(1, rows)[0] for rows in (64, 60)]
    train(chain(), inputs, lambda step: compiled(step, "60%", solver="rotor"))
    first, further = records()[-2:]
    assert further["solver"] == first["solver"]
    assert further["predicted"]["peak_bytes"] <= further["budget_bytes"]


def test_sizes_of_a_step_in_parts_share_the_budget_and_are_told_once(recwarn):
    model = chain()

    def step(x):
        y = model(x)
        torch._dynamo.graph_break()
        return (y.sin().square() + y.cos()).square().mean()

    before = len(records())
    run = compiled(step, "60%", time_limit=1)
    for x in (batches(1, rows)[0] for rows in (640, 960, 640, 960, 400, 400)):
        run(x).backward()
    last = {record["graph"]["name"]: record for record in records()[before:]}
    shapes = {name: record["step"] for name, record in last.items() if "step" in record}
    assert len(shapes) == 6
    assert all(made["peak_bytes"] <= 1.001 * made["budget_bytes"] for made in shapes.values())
    told = [str(warning.message) for warning in recwarn if "which together hold" in str(warning.message)]
    assert len(told) == 1, told


def test_other_sizes_over_the_budget_are_told_of_only_where_they_are(recwarn):
    layer = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.GELU())
    run = compiled(layer, "60%", time_limit=0.2)

    def told(x):
        run(run(run(x))).square().mean().backward()
        return [str(each.message) for each in recwarn if "Other sizes of the step" in str(each.message)]

    for _ in range(6):
        assert not told(torch.randn(256, 64, requires_grad=True))
    for _ in range(6):
        made = told(torch.randn(512, 64, requires_grad=True))
    assert len(made) == 1 and any("Less was not found" in str(each.message) for each in recwarn)


def test_a_further_size_with_inductors_kernels_takes_the_cut_of_the_first_and_looks_no_further(monkeypatch, tmp_path):
    lowered, lower = [], torch_private.lower
    monkeypatch.setattr(torch_private, "lower", lambda *args, **more: lowered.append(1) or lower(*args, **more))
    lowerings.forget()
    model, counts, found = chain(depth=3), [], []
    with quick_inductor(tmp_path):
        step = compiled(lambda x: model(x).square().mean(), "75%", codegen="inductor")
        for rows in (256, 320):
            before = len(lowered)
            step(batches(1, rows=rows)[0]).backward()
            counts.append(len(lowered) - before)
            found.append(records()[-1])
    assert counts[1] == 4 < counts[0]  # two halves each: without a plan, and of the cut
    first, second = ([record["predicted"][each] for each in ("peak_bytes", "time_us")] for record in found)
    assert second[0] <= found[1]["budget_bytes"] and second[1] <= 320 / 256 * first[1]
