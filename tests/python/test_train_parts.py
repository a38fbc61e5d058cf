# SPDX-License-Identifier: Apache-2.0
"""Parts of a step are planned once more until they are within its budget together, or can do with no less."""

import pytest
import torch
from remat_studio import torch_private
from remat_studio.train import planner as train_planner
from remat_studio.train import records, sessions
from remat_studio.train.memory import Use
from remat_studio.train.part import Part, Room
from remat_studio.train.session import Session
from training import batches, chain, compiled, planner

__all__ = ["planner"]


class Code:
    """A function that Dynamo compiled."""

    is_forgotten = False

    def forget(self):
        self.is_forgotten = True


class Steps:
    """Steps of parts, each with a choice of (peak, saved) in bytes, the fastest first; ``rooms`` are of first plans."""

    is_whole = True  # each of its parts by itself

    def __init__(self, budget, choices, rooms):
        self.session = Session({"budget": f"{budget}B"})
        self.choices = choices
        self.parts = [self.planned(index, Code(), Room(room, 0)) for index, room in enumerate(rooms)]

    def planned(self, index, code, room):
        """The part as a planner makes it for this room."""
        choices = [Use(peak, saved, peak, 0) for peak, saved in self.choices[index]]
        fits = next((use for use in choices if room.has(use)), None)
        least = min(choices, key=lambda use: max(use.peak_bytes, use.saved_bytes + room.border_bytes))
        return Part(
            (code, 0), f"step{index}", {}, fits or least, choices[0], fits is None, room, is_whole=self.is_whole
        )

    def run(self):
        """One step; the parts that are planned again after it."""
        for part in self.parts:
            self.session.begins(part, lambda: self)
        for part in reversed(self.parts):
            self.session.ends(part)
        again = [index for index, part in enumerate(self.parts) if part.key[0].is_forgotten]
        for index in again:
            name, before = self.parts[index].name, self.parts[index].before
            self.parts[index] = self.planned(index, Code(), self.session.room_of(None, name, before))
        return again

    def until_no_more(self):
        """The parts that are planned again, step by step, and what the last step holds."""
        again = []
        while some := self.run():
            again += some
        return again, self.parts[0].record["step"]["peak_bytes"]


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_parts_that_all_missed_their_first_share_are_planned_for_what_others_leave():
    halves = [(60, 40), (70, 10)]  # the smaller one by itself saves more
    steps = Steps(80, [halves, halves, [(60, 0)]], [50, 50, 50])
    assert all(part.is_least for part in steps.parts)
    assert steps.until_no_more() == ([0, 1], 80)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_part_that_missed_is_planned_again_when_others_got_smaller():
    steps = Steps(100, [[(120, 100), (110, 40), (95, 48)], [(80, 0), (50, 0)]], [60, 85])
    assert steps.until_no_more() == ([0, 1, 0], 98)


def test_a_part_within_what_others_leave_is_not_planned_again():
    steps = Steps(100, [[(120, 10)], [(130, 0), (80, 0), (70, 0)]], [100, 85])
    with pytest.warns(UserWarning, match="Less was not found"):
        assert steps.until_no_more() == ([], 120)


@pytest.mark.parametrize("budget", [100, 70])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_small_first_plan_is_made_smaller_only_where_its_step_is_over(budget):
    steps = Steps(budget, [[(60, 20)], [(80, 0), (60, 0)]], [60, 50])
    steps.parts[1].use, steps.parts[1].is_least, steps.parts[1].is_first = Use(80, 0, 80, 0), False, True
    assert steps.until_no_more() == (([], 100) if budget == 100 else ([1, 0], 80))


def test_a_part_at_its_least_is_planned_once_more_for_what_lies_on_top_of_it():
    part = Part(None, "step", {}, Use(60, 40, 60, 0), Use(90, 60, 90, 0), True, Room(50, 0))
    assert part.may_fit(Room(50, 30)) and part.may_fit(Room(60, 0))
    assert not part.may_fit(Room(50, 10))  # what it holds most is its own
    part.room = Room(50, 30)
    assert not part.may_fit(Room(50, 40)) and part.may_fit(Room(50, 25))


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_graph_that_nothing_follows_is_given_all_the_time_after_its_first_step():
    steps = Steps(50, [[(80, 0), (60, 0)]], [50])
    steps.is_whole = steps.parts[0].is_whole = False
    steps.parts[0].use, steps.parts[0].is_least, steps.parts[0].is_first = Use(80, 0, 80, 0), False, True
    with pytest.warns(UserWarning, match="Less was not found"):
        assert steps.until_no_more() == ([0], 60)


def test_parts_that_get_smaller_and_smaller_are_planned_again_twice_each():
    steps, uses = Steps(100, [], []), (Use(90, saved, 90, 0) for saved in range(900, 0, -1))
    steps.planned = lambda index, code, room: Part(
        (code, 0), f"step{index}", {}, next(uses), Use(1000, 900, 1000, 0), True, Room(0, 0)
    )
    steps.parts = [steps.planned(index, Code(), None) for index in range(2)]
    with pytest.warns(UserWarning, match="Less was not found"):
        again, _ = steps.until_no_more()
    assert len(again) == 4


def test_a_part_that_runs_several_times_and_missed_its_share_gets_shares_of_the_step():
    steps = Steps(100, [[(60, 40), (70, 10)]] * 3, [50])
    steps.parts *= 3
    assert steps.run() == [0, 1, 2]
    assert steps.session.shares is not None


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_shares_that_hold_more_than_those_before_are_taken_back():
    steps, code, peaks = Steps(100, [], []), Code(), [150, 115, 140]
    shares = []

    def planned(*_):
        if steps.session.shares not in shares:
            shares.append(steps.session.shares)
        peak = peaks[shares.index(steps.session.shares)]
        return Part((code, 0), "step", {}, Use(peak, 0, 0, 0), Use(200, 100, 200, 0), False)

    steps.session.forget = lambda code: None
    for _ in range(4):
        steps.parts = [planned()] * 3
        steps.run()
    assert len(shares) == 3 and steps.session.shares == shares[1]
    assert steps.parts[0].record["step"]["peak_bytes"] == 115


def test_what_is_to_be_planned_again_is_not_taken_for_another_model_of_its_class():
    first, given = Session({"budget": "80%"}), {"budget": "60%"}
    compiled_now = torch_private.Compiled(wide.__code__, None, False)
    first.forget(wide.__code__)
    assert sessions.of(given, compiled_now, Session).given is given
    assert sessions.of(first.given, compiled_now, Session) is first


def test_what_two_calls_compile_with_equal_options_shares_the_budget_of_one_step():
    model, x = chain(), batches(1)[0]
    body, head = compiled(model, "70%"), compiled(lambda out: out.square().mean(), "70%")
    for _ in range(3):
        head(body(x)).backward()
    step = records()[-1]["step"]
    assert step["parts"] == 2 and step["measured_bytes"] == step["peak_bytes"] <= step["budget_bytes"]


def wide(x):
    """Holds most in one op, and saves an input for each of the others."""
    x = x.repeat(1, 16).sin().unflatten(1, (16, -1)).sum(1)
    for _ in range(6):
        x = torch.nn.functional.gelu(x).tanh()
    return x


def wide_in_two():
    """A step of two graphs, and what it is called with."""
    weight = torch.nn.Parameter(torch.randn(64, 64))

    def step(x):
        half = wide(x + weight)
        torch._dynamo.graph_break()
        return wide(half).square().mean()

    return step, torch.randn(64, 64)


def test_graphs_that_all_miss_their_share_hold_the_budget_of_the_step():
    step, x = wide_in_two()
    run, before = compiled(step, "65%"), len(records())
    with pytest.warns(UserWarning) as said:
        for _ in range(3):
            run(x).backward()
    assert not any("No plan" in str(each.message) for each in said)
    first, second, again = records()[before:]
    assert all(each["predicted"]["peak_bytes"] > each["budget_bytes"] for each in (first, second))
    assert again["graph"]["name"] == first["graph"]["name"]
    assert again["step"]["peak_bytes"] <= again["step"]["budget_bytes"]


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_least_of_a_graph_is_looked_for_long_only_where_its_step_is_over(planner, monkeypatch):
    limits, try_plan = [], train_planner.try_plan

    def counted(model, budget, flags):
        limits.append(float(flags[-1]))
        return try_plan(model, budget, flags)

    monkeypatch.setattr(train_planner, "try_plan", counted)

    def steps_of(budget):
        torch._dynamo.reset()
        limits.clear()
        (step, x), before = wide_in_two(), len(records())
        run = compiled(step, budget, time_limit=2)
        for _ in range(4):
            run(x).backward()
        return records()[before:]

    first = 4 * [0.2]  # whether a plan fits, and else one that is small, of each graph
    steps_of("65%")
    assert limits == [*first, 2]  # the last is a plan that fits
    made = steps_of("1KiB")
    assert limits[:4] == first and limits[4:] and set(limits[4:]) == {2}
    assert {each["graph"]["name"] for each in made[2:]} <= {each["graph"]["name"] for each in made[:2]}
    again = steps_of("1KiB")
    assert all(each["from_cache"] for each in again)
    assert [each["predicted"] for each in again] == [each["predicted"] for each in made]


def test_a_graph_before_a_break_that_no_other_follows_is_told_of():
    weight = torch.nn.Parameter(torch.randn(64, 64))

    def step(x):
        half = wide(x + weight)
        torch._dynamo.graph_break()
        return half

    run, x = compiled(step, "1KiB"), torch.randn(64, 64)
    with pytest.warns(UserWarning, match="Less was not found"):
        for _ in range(2):
            run(x).square().mean().backward()
