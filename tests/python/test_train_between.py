# SPDX-License-Identifier: Apache-2.0
"""The budget is for the whole step: what eager mode holds around the graphs is measured, and left free by plans."""

import contextlib
import dataclasses
import warnings
import weakref

import pytest
import remat_studio
import torch
from remat_studio.comparison.held import measured
from remat_studio.train import between, memory, options, records, regions
from remat_studio.train.alone import Alone
from remat_studio.train.beside import Beside, seen
from remat_studio.train.chains import Chain
from remat_studio.train.inductor_peak import Peak
from remat_studio.train.measuring import Meter
from remat_studio.train.session import TRIES
from remat_studio.train.step_parts import Parts
from support import quick_inductor
from torch import nn
from torch.nn.functional import cross_entropy, gelu
from training import compiled, one_rank, planner

__all__ = ["one_rank", "planner"]

WIDTH, CLASSES, ROWS = 64, 512, 512
STEPS = 10  # until nothing is planned any more, and the last one is measured


class Body(nn.Module):
    """Layers, in one graph or in two."""

    def __init__(self, breaks, front=lambda x: x):
        super().__init__()
        torch.manual_seed(0)
        self.layers, self.breaks = nn.ModuleList(nn.Linear(WIDTH, WIDTH) for _ in range(8)), breaks
        self.front = front

    def forward(self, x):
        x = self.front(x)
        for layer in self.layers[:4]:
            x = gelu(layer(x)).tanh()
        if self.breaks:
            torch._dynamo.graph_break()
        for layer in self.layers[4:]:
            x = gelu(layer(x)).tanh()
        return x


def trained(body, step):
    """What the last of some steps held, and gradients; the head and the loss are not compiled."""
    torch.manual_seed(1)
    head, held = nn.Linear(WIDTH, CLASSES), []
    x, wanted = torch.randn(ROWS, WIDTH), torch.randint(0, CLASSES, (ROWS,))
    for index in range(STEPS):
        body.zero_grad()
        head.zero_grad()
        with measured(held) if index == STEPS - 1 else torch.enable_grad():
            cross_entropy(head(step(x)), wanted).backward()
    return held[0], [p.grad.clone() for p in (*body.parameters(), *head.parameters())]


@pytest.mark.parametrize("breaks", [False, True], ids=["one_graph", "two_graphs"])
def test_what_runs_outside_of_graphs_is_in_the_budget(breaks):
    plain, body, begin = Body(breaks), Body(breaks), len(records())
    before, wanted = trained(plain, plain)
    budget = int(0.8 * before)
    with pytest.warns(UserWarning, match="with what runs between its graphs, which adds .* planned once more"):
        held, own = trained(body, compiled(body, f"{budget}B"))
    assert all(map(torch.equal, own, wanted))
    first, last = records()[begin]["step"], records()[-1]["step"]
    assert held == last["peak_bytes"] == last["measured_bytes"] <= budget
    assert last["between_bytes"] > 0
    assert first["measured_bytes"] > budget


def test_a_step_within_its_budget_is_not_planned_again():
    body, begin = Body(True), len(records())
    held, _ = trained(body, compiled(body, "1GiB"))
    assert len(records()) == begin + 2
    assert held == records()[-1]["step"]["measured_bytes"] == records()[-1]["step"]["peak_bytes"]


@pytest.mark.rotates(group="inductor")
@pytest.mark.parametrize("way", ["codegen", "install"])
@pytest.mark.parametrize("breaks", [False, True], ids=["one_graph", "two_graphs"])
def test_with_inductors_kernels_it_is_in_the_budget_too(tmp_path, way, breaks):
    with quick_inductor(tmp_path / "inductor"):
        plain = Body(breaks)
        before, wanted = trained(plain, torch.compile(plain))
        torch._dynamo.reset()
        body, budget = Body(breaks), int(0.8 * before)
        try:
            if way == "install":
                remat_studio.install(budget, time_limit=0.2)
                step = torch.compile(body)
            else:
                step = compiled(body, budget, codegen="inductor")
            with pytest.warns(UserWarning, match="with what runs between its graphs, which adds .* planned once more"):
                held, own = trained(body, step)
        finally:
            remat_studio.install(None)
    assert held <= budget
    record = records()[-1]
    assert record["measured"]["peak_bytes"] == held
    assert held == record["predicted"]["peak_bytes"] <= record["budget_bytes"] <= budget
    torch.testing.assert_close(own, wanted)


@contextlib.contextmanager
def planned_by(way, function, budget):
    """The function with a plan: for eager's kernels, for Inductor's by the backend, or by plain compile."""
    try:
        if way == "install":
            remat_studio.install(budget, time_limit=0.2)
            yield torch.compile(function)
        else:
            yield compiled(function, budget, **({"codegen": "inductor"} if way == "codegen" else {}))
    finally:
        remat_studio.install(None)


def predicted_by(way):
    """What the last record says that the step holds."""
    record = records()[-1]
    return record["step"]["peak_bytes"] if way == "eager" else record["predicted"]["peak_bytes"]


@torch.compiler.disable
def _front(x):
    """Saves values for the backward, before the first graph."""
    x = x.clone().requires_grad_()
    for _ in range(3):
        x = x.sin()
    return x


@pytest.mark.rotates(group="inductor")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("way", ["eager", "codegen", "install"])
def test_what_runs_before_the_first_of_several_graphs_is_in_the_budget(tmp_path, way):
    with quick_inductor(tmp_path / "inductor"):
        plain, body = (Body(True, _front) for _ in range(2))
        before, wanted = trained(plain, plain if way == "eager" else torch.compile(plain))
        torch._dynamo.reset()
        budget = int(0.8 * before)
        with planned_by(way, body, budget) as step:
            held, own = trained(body, step)
    assert held == predicted_by(way) <= budget
    torch.testing.assert_close(own, wanted)


@pytest.mark.rotates(group="inductor")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("way", ["eager", "codegen", "install"])
def test_what_runs_before_the_only_graph_which_gives_a_loss_is_in_the_budget(tmp_path, way):
    """As an encoder that Dynamo leaves out."""
    x = torch.randn(ROWS, WIDTH)

    def held_by(step, body):
        held = []
        for index in range(STEPS):
            body.zero_grad()
            with measured(held) if index == STEPS - 1 else torch.enable_grad():
                step(x).backward()
        return held[0], [p.grad.clone() for p in body.parameters()]

    def step_of(body):
        return lambda x: body(_front(x)).square().mean()

    with quick_inductor(tmp_path / "inductor"):
        plain, body = (Body(False) for _ in range(2))
        step = step_of(plain)
        before, wanted = held_by(step if way == "eager" else torch.compile(step), plain)
        torch._dynamo.reset()
        budget = int(0.8 * before)
        with planned_by(way, step_of(body), budget) as step:
            held, own = held_by(step, body)
    assert held == predicted_by(way) <= budget
    torch.testing.assert_close(own, wanted)


@pytest.mark.filterwarnings("ignore")
def test_a_short_last_batch_is_measured_beside_the_long_ones(tmp_path):
    torch.manual_seed(0)
    model, begin, held = nn.Sequential(nn.Linear(WIDTH, 32), nn.GELU(), nn.Linear(32, CLASSES)), len(records()), {}
    x, wanted = torch.randn(ROWS, WIDTH), torch.randint(0, CLASSES, (ROWS,))
    with quick_inductor(tmp_path):
        remat_studio.install("70%", time_limit=0.2)
        try:
            step = torch.compile(model)
            for index in range(5):
                for rows in (ROWS, 200):
                    model.zero_grad()
                    with measured(held.setdefault(rows, [])) if index == 4 else torch.enable_grad():
                        cross_entropy(step(x[:rows]), wanted[:rows]).backward()
        finally:
            remat_studio.install(None)
    found = [each["predicted"]["peak_bytes"] for each in records()[begin:][-2:]]
    assert found == [held[ROWS][0], held[200][0]]


@pytest.mark.rotates(group="inductor")
def test_a_second_start_of_plain_compile_knows_what_lies_around_its_graph(tmp_path):
    said = []
    with quick_inductor(tmp_path / "inductor"):
        for _ in range(2):
            torch._dynamo.reset()
            body, begin = Body(False), len(records())
            installed = remat_studio.install("60%", time_limit=0.2)
            try:
                with warnings.catch_warnings(record=True) as told:
                    warnings.simplefilter("always")
                    held, _ = trained(body, torch.compile(body))
            finally:
                remat_studio.install(None)
            said.append([str(each.message) for each in told if "planned once more" in str(each.message)])
            planned = [each for each in installed.records() if each.get("beside_bytes")]
            assert held in [each["predicted"]["peak_bytes"] for each in planned]
            assert held in [each["measured"]["peak_bytes"] for each in planned]
    assert len(said[0]) == 1 and not said[1] and len(records()) == begin


class WithLogits(nn.Module):
    """Gives a loss, and what that is of."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.layers = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.GELU(), nn.Linear(WIDTH, WIDTH), nn.GELU())
        self.head = nn.Linear(WIDTH, 256)

    def forward(self, x, wanted):
        logits = self.head(self.layers(x))
        return cross_entropy(logits, wanted), logits


@pytest.mark.filterwarnings("ignore")
@pytest.mark.rotates(group="inductor")
def test_outputs_without_a_gradient_that_the_script_lets_go_of_are_seen_to_go(tmp_path):
    """As logits for a metric: beside them the graph gives its loss alone."""
    x, wanted = torch.randn(ROWS, WIDTH), torch.randint(0, 256, (ROWS,))
    model, found = WithLogits(), []

    def step():
        value, logits = model(x, wanted)
        return value, logits.detach()

    with quick_inductor(tmp_path):
        ran = compiled(step, "100%", codegen="inductor")
        for _ in range(2):
            ran()[0].backward()
            model.zero_grad()
        with measured(found):
            ran()[0].backward()
    record = records()[-1]
    assert found == [record["measured"]["peak_bytes"]] == [record["predicted"]["peak_bytes"]]
    assert record["predicted"]["peak_bytes"] < record["exact"]["cut"]["backward_bytes"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.rotates(group="inductor")
def test_zeros_for_outputs_that_get_no_gradient_count_as_long_as_they_are_held(tmp_path):
    """As logits of models of transformers, which compute their loss."""
    x, wanted = torch.randn(ROWS, WIDTH), torch.randint(0, 256, (ROWS,))

    def held_by(model):
        call, held = torch.compile(model), []
        for index in range(4):
            model.zero_grad()
            with measured(held) if index == 3 else torch.enable_grad():
                call(x, wanted)[0].backward()
        return held[0]

    with quick_inductor(tmp_path):
        before = held_by(WithLogits())
        torch._dynamo.reset()
        remat_studio.install("80%", time_limit=0.2)
        try:
            held = held_by(WithLogits())
        finally:
            remat_studio.install(None)
    record = records()[-1]
    assert record["predicted"]["peak_bytes"] == held <= record["budget_bytes"]
    assert record["before_bytes"] == before and record["budget_bytes"] == int(0.8 * before)
    assert record["beside"]["frees_tangents"] and record["exact"]["cut"]["backward_bytes"] > 1.05 * held


def test_places_around_graphs_are_what_is_left_of_the_measured_peaks():
    planned = [memory.Use(50, 20, 60, 5), memory.Use(40, 10, 45, 7)]
    around = [memory.Use(12, 1, 30, 0), memory.Use(9, 3, 31, 2), memory.Use(80, 0, 0, 4)]
    whole = between.joined(around, planned)
    later, held, pieces = memory.gradients_from(whole), 0, []
    for use, gradients in zip(whole, later[1:], strict=True):
        pieces.append((held + use.forward_bytes, held + gradients + use.backward_bytes))
        held += use.saved_bytes
    (before, tail), first, (gap, gap_back), second, (middle, _) = pieces
    order = [None, (True, 0), None, (True, 1), None, (False, 1), None, (False, 0), None]
    peaks = [before, first[0], gap, second[0], middle, second[1], gap_back, first[1], tail]
    measured_step = [*zip(order, peaks, strict=True)]
    assert between.uses(measured_step, [0, 1], planned, memory.gradients_from(planned)) == around
    assert memory.step_peak(whole) == max(peaks)
    assert between.uses(measured_step, [1, 0], planned, memory.gradients_from(planned)) is None


def peaks(forward, kept, backward):
    """The peaks of a cut with outputs of 10,000 bytes that it does not save, and gradients of 5,000."""
    return dataclasses.asdict(Peak(forward, backward, kept + 10_000, 5_000, 0, 0, 0, kept))


def has_measured(record, lies, pieces, absent=()):
    """The codes that are to be compiled anew after a step that held so much in its four places.

    ``absent`` are the keys of graphs with outputs for which no gradient came.
    """
    forgotten, read = [], options.read({"budget": "60%"})
    alone = Alone(Parts(read, None), read, lambda: [record], forgotten.append)
    alone._beside["code", "sizes"], alone._unknown["code", "sizes"] = lies, []
    alone._absent |= set(absent)
    order = [None, None, (True, "code"), None, (False, "code"), None]
    alone._has_measured(("code", "sizes"), [*zip(order, (0, 0, *pieces), strict=True)])
    return forgotten, alone._seen.get(("code", "sizes"))


def record_of(lies, missed=None):
    """A cut that holds 100,000 bytes in its backward, of 150,000 without a plan."""
    exact = {"cut": peaks(60_000, 40_000, 100_000), "plain": peaks(90_000, 80_000, 150_000)}
    found = {"exact": exact, "beside": dataclasses.asdict(lies), "budget_bytes": 90_000, "before_bytes": 150_000}
    return found | {"predicted": {"peak_bytes": lies.peak_with(Peak(**exact["cut"]))}, "missed": missed}


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_plan_that_misses_the_budget_is_not_made_again_for_a_few_bytes_beside_it():
    for more, wanted in ((8, []), (2_000, ["code"])):
        record = record_of(Beside())
        forgotten, seen = has_measured(record, Beside(), (60_000, 50_000, 100_000 + more, 5_000))
        assert forgotten == wanted and record["measured"] == {"peak_bytes": 100_000 + more}
        assert record["predicted"]["peak_bytes"] == 100_000 + more
        assert record["before_bytes"] == 150_000 + more and record["budget_bytes"] == int(0.6 * (150_000 + more))
        assert seen == (Beside(0, 10_000, 10_000 + more, 0, 10_000, is_measured=True) if wanted else None)


def test_outputs_that_the_script_frees_leave_room_for_another_plan():
    with pytest.warns(UserWarning, match="it is known now what is held around its graph, and where"):
        forgotten, seen = has_measured(record_of(Beside()), Beside(), (60_000, 60_000, 90_000, 5_000))
    assert forgotten == ["code"] and seen == Beside(0, 20_000, 0, 0, 10_000, is_measured=True)


def test_outputs_that_the_measured_cut_saved_are_taken_to_be_held_where_another_does_not():
    saves, saves_not = Peak(60, 100, 50, 5, 0, 0, 0, 50), Peak(60, 100, 50, 5, 0, 0, 0, 40)
    found = seen([60, 80, 100, 30], saves)
    assert found.places(saves) == found.places(saves_not) == [60, 80, 100, 30]
    assert seen([60, 80, 100, 30], saves_not).places(saves) == [60, 90, 110, 30]  # more, if the script holds them


def test_zeros_for_gradients_that_never_came_are_let_go_of_where_a_step_shows_that():
    cut, other = Peak(60, 100, 50, 5, 0, 0, 0, 50, 80), Peak(60, 120, 50, 5, 0, 0, 0, 50, 110)
    assert seen([60, 50, 84, 5], cut).places(other) == [60, 50, 114, 5]
    assert seen([60, 50, 104, 5], cut).places(other) == [60, 50, 124, 5]


def test_gradients_that_never_came_count_as_zeros_where_the_measured_cut_would_hold_as_much():
    cut, other = Peak(60, 100, 50, 5, 0, 0, 0, 50, 100), Peak(60, 120, 50, 5, 0, 0, 0, 50, 110)
    assert seen([60, 50, 100, 5], cut).places(other) == [60, 50, 120, 5]
    assert seen([60, 50, 100, 5], cut, never_came=True).places(other) == [60, 50, 110, 5]


@pytest.mark.parametrize("absent", [[], [("code", "sizes")]])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_percentage_is_of_a_step_without_gradients_that_never_came(absent):
    record = record_of(Beside())
    record["budget_bytes"] = 100_000
    record["exact"]["cut"]["freed_bytes"], record["exact"]["plain"]["freed_bytes"] = 100_000, 120_000
    forgotten, known = has_measured(record, Beside(), (60_000, 40_000, 100_000, 5_000), absent)
    assert record["before_bytes"] == (120_000 if absent else 150_000)
    assert forgotten == ["code"] and known.frees_tangents == bool(absent)


def test_zeros_that_one_step_let_go_of_are_let_go_of_in_a_further_one_that_may_have_held_them():
    first, cut = seen([60, 50, 84, 5], Peak(60, 100, 50, 5, 0, 0, 0, 50, 80)), Peak(60, 120, 50, 5, 0, 0, 0, 50, 80)
    found = seen([60, 50, 121, 5], cut).or_more(first)
    assert found == first.or_more(seen([60, 50, 121, 5], cut))
    assert found.places(cut) == [60, 50, 121, 5]
    assert found.places(Peak(60, 130, 50, 5, 0, 0, 0, 50, 70)) == [60, 50, 111, 5]


def test_a_step_planned_for_what_lies_around_its_graph_is_said_to_miss_its_budget_only_where_it_does():
    lies = Beside(0, 30_000, 12_000, 0, 10_000, is_measured=True)
    for more, sentences in ((-20_000, 0), (0, 1)):
        record = record_of(lies, "No plan")
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            forgotten, _ = has_measured(record, lies, (60_000, 70_000, 102_000 + more, 5_000))
        assert len(said) == sentences and not forgotten
        assert not said or "holds 99.61 KiB, and 11.72 KiB of that beside its graph" in str(said[0].message)
        assert record["predicted"]["peak_bytes"] == 102_000  # as it was planned, and not as it was measured


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


def test_steps_in_another_order_are_measured_a_few_times_and_no_more(monkeypatch):
    begun = []

    class Step:
        """A step of which nothing can be said."""

        def __init__(self, then, _meter):
            begun.append(self)
            self.has_all = lambda: then([])

        def begins(self):
            """A graph begins."""

        def ends(self, *_):
            """It is over."""

    monkeypatch.setattr(between, "MeasuredStep", Step)
    chain = Chain(options.read({"budget": "1GiB", "codegen": "inductor"}), "graphs", lambda: None)
    chain.known["graph"] = [regions.Option("plain", 10, 5, 12, 1, 1.0, 1)]

    def step():
        for _ in range(2):
            chain._enters()
            chain._ran(0, "graph", lambda: step)
        for _ in range(2):
            chain._enters()
            chain._went_back("graph")

    step()
    chain.solve()
    for _ in range(9):
        step()
    assert len(begun) == TRIES
    pieces = [((is_forward, "graph"), 100) for is_forward in (True, False, True, False)]
    with pytest.warns(UserWarning, match="The step holds 100 B, and 17 B were predicted: its graphs do not run backward"):
        chain._has_measured([each for piece in pieces for each in (piece, (None, 50))])
    assert records()[-1]["measured"] == {"peak_bytes": 100} and records()[-1]["between_bytes"] == 83
    chain.options = options.read({"budget": "60B", "codegen": "inductor"})
    chain._measured, ended = 0, []
    chain._ends = lambda: ended.append(chain.is_solved)
    chain._tries = TRIES
    with pytest.warns(UserWarning, match="which adds 84 B; the budget is 60 B. The graphs are planned once more"):
        chain._has_measured([each for piece in pieces for each in (piece, (None, 101))])
    assert ended == [False] and chain._tries == 0
