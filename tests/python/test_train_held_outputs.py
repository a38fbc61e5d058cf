# SPDX-License-Identifier: Apache-2.0
"""Outputs that a script holds, beside others that it lets go of: what cuts hold with them, and what a budget is of."""

from unittest import mock

import pytest
import remat_studio
import torch
from remat_studio.comparison.held import measured
from remat_studio.train import records
from remat_studio.train.held_outputs import GivenOutputs
from remat_studio.train.inductor_peak import Peak
from support import quick_inductor
from torch import nn
from torch._inductor.async_compile import AsyncCompile

ROWS, WIDTH = 512, 64


def test_a_backward_holds_what_the_script_does_also_after_the_text_lets_go_of_it():
    # Output 2 is not saved; the text lets go of 0 after it held most, and of 1 after that.
    cut = Peak(0, 0, 0, 0, 0, 0, 0, unsaved=((7, (2,)),), pieces=((100, 10, (0,)), (95, 20, (1,)), (80, 0, ())))
    wanted = {(): 100, (0,): 105, (1,): 100, (0, 1): 110, (2,): 107, (0, 1, 2): 117}
    assert {held: cut.backward_bytes_with(frozenset(held)) for held in wanted} == wanted
    assert cut.unsaved_bytes_in(frozenset([1, 2])) == 7 and cut.unsaved_bytes_in(frozenset([1])) == 0


@pytest.mark.rotates(group="inductor")
def test_it_is_seen_which_outputs_are_held_also_behind_new_values_of_inputs(tmp_path):
    given = []

    def backend(module, inputs):
        run = torch._dynamo.lookup_backend("aot_eager")(module, inputs)

        def call(*args):
            outputs = run(*args)
            given.append(GivenOutputs(outputs))
            return outputs

        return call

    def step(x, changed, weight):
        changed.mul_(x)  # the graph gives the new value before all else
        return x * weight, (x * weight).sum(), x.sin(), x.exp() * weight

    step = torch.compile(step, backend=backend)
    weight = torch.randn(8, requires_grad=True)
    product, _, sine = step(torch.randn(8), weight * 1, weight)[:3]
    assert given[-1].held() == (1, 3) and given[-1].freed_bytes() == 32
    del product
    assert given[-1].held() == (3,)
    del sine
    assert given[-1].held() == () and given[-1].freed_bytes() == 96
    assert GivenOutputs().held() == ()
    own = torch.randn(8)
    assert GivenOutputs([own]).held() is None  # of a graph without a backward


class Features(nn.Module):
    """Gives what each layer comes to; its cuts save some of that."""

    def __init__(self, breaks):
        super().__init__()
        torch.manual_seed(0)
        self.layers = nn.ModuleList(nn.Linear(WIDTH, WIDTH) for _ in range(6))
        self._breaks = breaks

    def forward(self, x):
        if self._breaks:
            x = self.layers[0](x).sigmoid()
            x = x * x.cos()
            torch._dynamo.graph_break()
        found = []
        for i, layer in enumerate(self.layers):
            x = x + nn.functional.gelu(layer(x)) if i % 2 else layer(x).sigmoid()
            found.append(x.sin() if i % 3 == 2 else x)
        return tuple(found)


class WithLoss(Features):
    """Gives a loss first."""

    def forward(self, x):
        found = super().forward(x)
        return found[-1].square().mean(), *found


class Loss(Features):
    """Gives nothing else: its step is not measured."""

    def forward(self, x):
        return (sum(output.square().mean() for output in super().forward(x)),)


def no_kernels():
    """A context in which fused kernels do nothing: peaks are the same."""
    return mock.patch.object(AsyncCompile, "cpp_pybinding", lambda *_: lambda *_: None)


def last_held(make, step, steps):
    """What the last of some steps of a model holds."""
    model, held = make(), []
    call = torch.compile(model)
    for index in range(steps):
        model.zero_grad()
        with measured(held) if index == steps - 1 else torch.enable_grad():
            step(call)
    return held[0]


def held_without_and_with(tmp_path, make, step, budget):
    """What a step holds by plain compile, and by a plan once it is known what lies around its graphs."""
    with quick_inductor(tmp_path), no_kernels():
        before = last_held(make, step, 2)
        torch._dynamo.reset()
        remat_studio.install(budget, time_limit=0.2)
        try:
            return before, last_held(make, step, 8)
        finally:
            remat_studio.install(None)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("breaks", "positions"), [(False, (2,)), (False, (1, 4)), (False, range(6)), (True, ()), (True, (1, 4))]
)
@pytest.mark.rotates(group="inductor")
def test_a_percentage_is_of_a_step_that_holds_some_of_its_outputs(tmp_path, breaks, positions):
    x = torch.randn(ROWS, WIDTH)

    def step(call):
        outputs = [*call(x)]
        kept = [outputs[position] for position in positions]
        loss = sum((output**2).mean() for output in outputs)
        del outputs
        loss.backward()
        del kept

    before, held = held_without_and_with(tmp_path, lambda: Features(breaks), step, "80%")
    record = records()[-1]
    assert record["before_bytes"] == before
    assert held == record["predicted"]["peak_bytes"] < before


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("breaks", "budget"), [(False, "75%"), (True, "65%")])
@pytest.mark.rotates(group="inductor")
def test_outputs_that_a_script_lets_go_of_leave_their_bytes_to_what_runs_then(tmp_path, monkeypatch, breaks, budget):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    x, head, labels = torch.randn(ROWS, WIDTH), torch.randn(WIDTH, 4 * WIDTH) / 8, torch.randint(4 * WIDTH, (ROWS,))

    def step(call):
        *others, last = call(x)
        first = sum(output.sum() for output in others)
        if not breaks:
            del others  # else they are held while the large loss runs, and not when its backward does
        loss = first + nn.functional.cross_entropy(last @ head, labels)
        others = None
        loss.backward()

    before, held = held_without_and_with(tmp_path, lambda: Features(breaks), step, budget)
    record = records()[-1]
    assert record["before_bytes"] == before
    assert held == record["predicted"]["peak_bytes"] <= 0.76 * before


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("make", [Features, Loss])
@pytest.mark.rotates(group="inductor")
def test_what_a_backward_keeps_for_a_second_one_counts_with_a_plan_and_without(tmp_path, monkeypatch, make):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    x = torch.randn(ROWS, WIDTH)

    def step(call):
        outputs = call(x)
        halves = (outputs[:3], outputs[3:]) if make is Features else (outputs, outputs)
        first, second = (sum((output**2).mean() for output in half) for half in halves)
        del outputs, halves
        first.backward(retain_graph=True)
        second.backward()

    before, held = held_without_and_with(tmp_path, lambda: make(False), step, "60%")
    record = records()[-1]
    few = 16  # bytes of numbers of the script, which are not measured beside a graph that gives only a loss
    assert record["before_bytes"] == pytest.approx(before, abs=few)
    assert held == pytest.approx(record["predicted"]["peak_bytes"], abs=few) and held < before - few


@pytest.mark.filterwarnings("ignore")
@pytest.mark.rotates(group="inductor")
def test_a_step_of_a_smaller_size_than_the_planned_one_shows_it_too(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # nothing is known of it

    def held_at_the_end(rows, budget=None):
        """What the last step holds, with a loss outside of the graph."""
        torch._dynamo.reset()
        model, held = WithLoss(False), []
        remat_studio.install(budget, time_limit=0.2)
        try:
            call = torch.compile(model, dynamic=True)
            for index, count in enumerate(rows):
                model.zero_grad()
                x = torch.randn(count, WIDTH)
                with measured(held) if index == len(rows) - 1 else torch.enable_grad():
                    inner, outer = call(x)[:2]
                    (inner + outer.exp().sin().mean()).backward()
                    del inner, outer
        finally:
            remat_studio.install(None)
        return held[0]

    with quick_inductor(tmp_path), no_kernels():
        before = held_at_the_end([ROWS, ROWS])
        begin = len(records())
        held = held_at_the_end([ROWS, ROWS // 2, ROWS], "85%")
        first, again = records()[begin:]
        larger = held_at_the_end([ROWS, ROWS // 2, 2 * ROWS, ROWS, 2 * ROWS], "85%")
    assert first["open_sizes"] == again["open_sizes"] == [ROWS]
    few = 64  # a loss does not grow with the size
    assert first["before_bytes"] == again["before_bytes"] == pytest.approx(before, abs=few)
    assert again["budget_bytes"] + few > held == pytest.approx(again["predicted"]["peak_bytes"], abs=few)
    grown = records()[-1]  # what was known grows with the size that it is planned for
    assert grown["open_sizes"] == [2 * ROWS] and grown["budget_bytes"] + few > larger > again["budget_bytes"]
    assert larger == pytest.approx(grown["predicted"]["peak_bytes"], abs=few)
