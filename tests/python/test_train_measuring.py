# SPDX-License-Identifier: Apache-2.0
"""When the measurement of a step begins and ends, so that it disturbs neither autograd nor profiles of the script."""

import weakref

import pytest
import remat_studio
import torch
from remat_studio.train import between, planned_call, records
from remat_studio.train.measuring import Meter
from training import batches, chain, one_rank, planner

__all__ = ["one_rank", "planner"]


def test_values_from_before_a_measured_step_are_freed_without_a_word(capfd):
    """PyTorch's allocator prints a line for the first of these, and for each thousandth one."""
    values, found = [torch.ones(1) for _ in range(1001)], []
    meter = Meter(found.append)
    meter.begin()
    del values
    meter.mark()
    meter.finish()
    assert found == [[0]] and "unknown size" not in capfd.readouterr().err


def test_a_call_that_is_measured_from_its_beginning_on_ends_before_what_else_runs():
    class Asker:
        """Has a step that is due."""

        is_due = True

    asker, function = Asker(), lambda: None
    between._current[:] = [weakref.ref(function)]
    between.step_of(asker, None)
    between._called(lambda: None)
    assert not between._ahead  # another one was called
    between._called(function)
    (meter,) = between._ahead
    seen = []
    value = torch.ones(2, requires_grad=True) * 2
    value.register_hook(lambda _: seen.append((records() is not None, meter.is_open)))
    value.sum().backward()
    assert seen == [(True, True)]  # in a backward it cannot end
    between.step_of(asker, None)
    assert not meter.is_open and not between._ahead


@pytest.mark.parametrize("is_in_flight", [False, True])
def test_a_measured_step_that_can_have_no_backward_any_more_ends_with_the_next_one(is_in_flight):
    class Asker:
        """Has nothing due."""

    asker, function = Asker(), lambda: None
    asker.is_in_flight = is_in_flight
    between._current[:] = [weakref.ref(function)]
    step = between.step_of(asker, lambda _: None)
    step.begins()
    try:
        between.step_of(asker, None)
        assert torch.autograd._profiler_enabled() == is_in_flight
    finally:
        step.drop()


def test_of_several_ranks_steps_are_measured_from_their_first_graph_on(one_rank):
    class Asker:
        """Has a step that is due."""

        is_due = True

    asker, function = Asker(), lambda: None
    between._current[:] = [weakref.ref(function)]
    between.step_of(asker, None)
    between._called(function)
    assert not between._ahead


def test_a_measurement_that_other_code_ended_gives_nothing():
    found = []
    meter = Meter(found.append)
    meter.begin()
    torch.autograd._disable_profiler()
    meter.finish()
    assert found == [[]] and not meter.is_open
    meter.begin()
    meter.mark()
    meter.finish()
    assert len(found[1]) == 1


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_no_profile_ends_in_a_call_of_autograd_where_a_step_had_no_backward(monkeypatch):
    inside, ended = [], []
    run, finish = planned_call.Way.forward, Meter.finish

    def forward(way, tensors):
        inside.append(way)
        found = run(way, tensors)
        inside.clear()
        return found

    def finishes(meter):
        ended.append(bool(inside))
        finish(meter)

    monkeypatch.setattr(planned_call.Way, "forward", forward)
    monkeypatch.setattr(Meter, "finish", finishes)
    model, x = chain(), batches(1)[0]
    call = remat_studio.planned(model, (x,), budget="60%", time_limit=0.2)
    for index in range(4):
        call(-x)
        if index != 1:  # the second step is measured, and has no backward
            call(x).square().mean().backward()
    assert ended and not any(ended)
