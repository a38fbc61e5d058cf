# SPDX-License-Identifier: Apache-2.0
"""The budget is for the whole step: what eager mode holds around the graphs is measured, and left free by plans."""

import contextlib
import warnings

import pytest
import remat_studio
import torch
from remat_studio.comparison.held import measured
from remat_studio.sizes import size_text
from remat_studio.train import between, memory, records
from support import quick_inductor
from torch import nn
from torch.distributed.fsdp import fully_shard
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


def test_what_a_step_holds_that_was_said_to_miss_its_budget_is_said_as_measured(recwarn):
    body = Body(True)
    held, _ = trained(body, compiled(body, f"{WIDTH * ROWS * 4}B"))
    told = [str(each.message) for each in recwarn if "at most" in str(each.message)]
    step = records()[-1]["step"]
    assert held == step["measured_bytes"] > 1.1 * (held - step["between_bytes"])
    assert len(told) == 2, told
    assert told[-1].startswith("Measured with what runs between") and f"at most {size_text(held)} of" in told[-1]


def test_a_budget_that_a_step_holds_after_another_plan_is_not_said_to_be_missed(recwarn):
    class Viewed(nn.Module):
        """Gives views, of which a loss is made that is not compiled."""

        def __init__(self):
            super().__init__()
            torch.manual_seed(0)
            self.layers = nn.Sequential(*(make() for _ in range(4) for make in (lambda: nn.Linear(WIDTH, WIDTH), nn.Tanh)))

        def forward(self, x):
            first = self.layers[:4](x)
            return self.layers[4:](first).unflatten(0, (8, -1)).transpose(1, 2), first.T

    step, x, held = compiled(Viewed(), "80%"), torch.randn(ROWS, WIDTH), []
    for index in range(STEPS):
        with measured(held) if index == STEPS - 1 else torch.enable_grad():
            first, second = step(x)
            (first.square().mean() + second.exp().mean()).backward()
            del first, second
    assert held[0] <= records()[-1]["step"]["budget_bytes"]
    told = [str(each.message) for each in recwarn]
    assert not [each for each in told if each.startswith("No plan within")], told


@pytest.mark.filterwarnings("ignore:The step holds")
def test_gradients_that_a_loss_gives_a_graph_count_once():
    def held_by(wrap):
        model = nn.Sequential(Body(False), nn.Linear(WIDTH, 2 * CLASSES))
        call, held, x, wanted = wrap(model), [], torch.randn(ROWS, WIDTH), torch.randint(0, CLASSES, (ROWS,))
        for index in range(STEPS):
            with measured(held) if index == STEPS - 1 else torch.enable_grad():
                cross_entropy(call(x), wanted).backward()
            model.zero_grad()
        return held[0]

    before = held_by(lambda model: model)
    held = held_by(lambda model: compiled(model, "85%"))
    step = records()[-1]["step"]
    assert step["keep_all_peak_bytes"] == pytest.approx(before, rel=0.001)
    assert held == pytest.approx(step["peak_bytes"], rel=0.001)
    assert 0.95 * step["budget_bytes"] <= held <= step["budget_bytes"]


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
            match = r"with what runs (between its graphs|around its graph), which adds .* planned once more"
            with pytest.warns(UserWarning, match=match):
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
    assert record["beside"]["held"] == () and record["exact"]["cut"]["backward_bytes"] > 1.05 * held


def held_by_plain_and_planned(make, budget, holds, *inputs):
    """What a step holds by Inductor without a plan, and under a budget, in a script that ``holds`` outputs or not."""

    def held_by(model):
        call, held = torch.compile(model), []
        for index in range(6):
            model.zero_grad()
            with measured(held) if index == 5 else torch.enable_grad():
                loss, *outputs = call(*inputs)
                if not holds:
                    outputs.clear()
                loss.backward()
            del loss, outputs
        return held[0]

    before = held_by(make())
    torch._dynamo.reset()
    remat_studio.install(budget, time_limit=0.2)
    try:
        return before, held_by(make())
    finally:
        remat_studio.install(None)


class WithFeatures(nn.Module):
    """Gives a loss, and what two towers come to, which cuts save or not."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        wide = [(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH), nn.GELU()) for _ in range(3)]
        self.deep = nn.Sequential(*[layer for block in wide for layer in block])
        self.flat = nn.Linear(WIDTH, WIDTH)

    def forward(self, x, y):
        first, second = self.deep(x) + x, self.flat(y) + y
        return first.sin().mean(1).sum() * second.sin().mean(1).sum(), first, second


@pytest.mark.filterwarnings("ignore")
@pytest.mark.rotates(group="inductor")
@pytest.mark.parametrize("holds", [False, True])
def test_outputs_count_as_long_as_the_script_holds_them(tmp_path, holds):
    x, y = torch.randn(ROWS, WIDTH), torch.randn(2 * ROWS, WIDTH)
    with quick_inductor(tmp_path):
        before, held = held_by_plain_and_planned(WithFeatures, "70%", holds, x, y)
    record = records()[-1]
    assert (record["before_bytes"], record["predicted"]["peak_bytes"]) == (before, held)


class Scored(nn.Module):
    """In two graphs, the last of which gives a loss, and what it is of: plain code keeps it, and a small cut does not.

    Plain code also keeps what the first graph gives in both, and small cuts beat how it cuts the first one.
    """

    def __init__(self):
        super().__init__()
        self.body, self.head = Body(False), nn.Linear(WIDTH, 512)

    def forward(self, x):
        x = self.body(x)
        torch._dynamo.graph_break()
        scores = self.head(x).tanh()
        return scores.exp().mean(), scores


@pytest.mark.filterwarnings("ignore")
@pytest.mark.rotates(group="inductor")
@pytest.mark.parametrize("holds", [False, True])
def test_outputs_of_the_last_graph_count_as_long_as_the_script_holds_them(tmp_path, holds):
    x = torch.randn(ROWS, WIDTH)
    with quick_inductor(tmp_path):
        before, held = held_by_plain_and_planned(Scored, "30%", holds, x)
    record = records()[-1]
    assert record["predicted"]["peak_bytes"] == held
    assert record["before_bytes"] == pytest.approx(before, rel=0.001)


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


@pytest.mark.parametrize("has_loss", [True, False], ids=["loss_inside", "loss_outside"])
def test_parameters_that_are_gathered_before_the_graph_are_in_the_budget(one_rank, has_loss):
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = Body(False)

        def forward(self, x):
            x = self.body(x)
            return x.square().mean() if has_loss else x

    x, held, begin = torch.randn(ROWS, WIDTH), [], len(records())
    model = fully_shard(remat_studio.planned(Net(), (x,), budget="1800KiB", time_limit=0.2))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        for index in range(STEPS):
            with measured(held) if index == STEPS - 1 else torch.enable_grad():
                model(x).square().mean().backward()
            model.zero_grad()
    assert [str(each.message) for each in said if "fully_shard gathers" in str(each.message)]
    first, last = records()[begin + 1]["step"], records()[-1]["step"]
    assert first["measured_bytes"] > first["budget_bytes"]
    assert abs(held[0] - last["measured_bytes"]) <= 16
    assert last["peak_bytes"] == last["measured_bytes"] <= last["budget_bytes"]


class Layer(nn.Module):
    """One that Dynamo compiles by itself."""

    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        return gelu(self.inner(x)).tanh()


@pytest.mark.parametrize("reshards", [True, False])
@pytest.mark.filterwarnings("ignore:The step")
def test_parameters_that_stay_gathered_are_in_the_measured_peak(one_rank, reshards):
    model, held, x = nn.Sequential(*(Layer() for _ in range(3))), [], torch.randn(ROWS, WIDTH)
    for layer in model:
        layer.compile(backend="remat", options={"budget": "80%", "time_limit": 0.2})
        fully_shard(layer, reshard_after_forward=reshards)
    fully_shard(model)
    for index in range(STEPS):
        with measured(held) if index == STEPS - 1 else torch.enable_grad():
            model(x).square().mean().backward()
        model.zero_grad()
    step = records()[-1]["step"]
    assert abs(held[0] - step["measured_bytes"]) <= 16
    assert step["peak_bytes"] == step["measured_bytes"]
