# SPDX-License-Identifier: Apache-2.0
"""Which graphs are parts of a step under plain compile: models that train each other, teachers, evaluations, logs."""

import os
import re
import subprocess
import sys
import weakref

import pytest
import remat_studio
import torch
from conftest import ROOT
from remat_studio.train import halves, records, telling
from test_train_inductor import inductor
from torch import nn
from training import planner

__all__ = ["inductor", "planner"]

pytestmark = [pytest.mark.rotates(group="inductor"), pytest.mark.filterwarnings("ignore::UserWarning")]


class Net(nn.Module):
    """Dynamo compiles code of users, not of torch.nn; ``breaks`` has it make two graphs of this."""

    def __init__(self, breaks=False, width=64):
        super().__init__()
        torch.manual_seed(2)
        self.first, self.second, self.breaks = nn.Linear(32, width), nn.Linear(width, 32), breaks

    def forward(self, x):
        x = torch.nn.functional.gelu(self.first(x)).sin()
        if self.breaks:
            torch._dynamo.graph_break()
        return self.second(x).tanh()


def installed(budget):
    """Plan with this budget from now on; the first cuts are enough here."""
    remat_studio.install(budget, time_limit=0.1, search_seconds=0)


@pytest.fixture
def compilations(inductor, monkeypatch):
    """Under a budget, a function for the begin of each step: how many graphs Dynamo made in each one before."""
    counts = []
    monkeypatch.setattr(telling, "_told", weakref.WeakKeyDictionary())

    def count():
        counts.append(torch._dynamo.utils.counters["stats"]["unique_graphs"])
        return [after - before for before, after in zip(counts, counts[1:], strict=False)]

    try:
        installed("60%")
        yield count
    finally:
        remat_studio.install(None)


@pytest.mark.parametrize("sees_real_first", [False, True])
def test_models_that_train_each_other_are_compiled_as_one_step(compilations, sees_real_first):
    maker, judge = torch.compile(Net(width=48)), torch.compile(Net())
    before = len(records())
    for _ in range(7):
        made = compilations()
        if sees_real_first:
            judge(torch.randn(64, 32)).mean().backward()
        fake = maker(torch.randn(64, 32))
        judge(fake.detach()).square().mean().backward()
        judge(fake).square().mean().backward()
    assert made[-2:] == [0, 0], "steps are compiled again and again"
    kinds = 1 + sees_real_first  # real data are judged in a step of another kind
    assert [each["graph"]["name"] for each in records()[before:]].count("graphs") == kinds


def test_a_teacher_is_no_part_of_a_step(compilations, recwarn):
    installed("1KiB")
    model, teacher = torch.compile(Net()), torch.compile(Net().requires_grad_(False))
    for _ in range(8):  # it may be planned three times, each in every other step
        made = compilations()
        x = torch.randn(64, 32)
        own = model(x)
        (own - teacher(x)).square().mean().backward()
    assert made[-1] == 0
    assert any("so much room" in str(each.message) for each in recwarn)


def test_a_teacher_is_not_taken_for_code_of_an_earlier_start(compilations, recwarn):
    installed("61%")
    model, teacher = torch.compile(Net()), torch.compile(Net().requires_grad_(False))
    for _ in range(2):
        x = torch.randn(64, 32)
        (teacher(x) - model(x)).square().mean().backward()
    assert not any("earlier start" in str(each.message) for each in recwarn)


def test_graphs_without_a_backward_leave_a_missed_budget_said(compilations, recwarn):
    installed("1KiB")
    model, log = Net(), torch.compile(lambda loss: loss.exp() + 1)
    step = torch.compile(lambda x: model(x).square().mean())
    for _ in range(3):
        loss = step(torch.randn(64, 32))
        log(loss)
        loss.backward()
    assert any("No plan for Inductor holds" in str(each.message) for each in recwarn)


class Layers(nn.Module):
    """Its loss is computed outside of what is compiled."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(2)
        self.layers = nn.ModuleList(nn.Linear(64, 64) for _ in range(4))

    def forward(self, x):
        for layer in self.layers:
            x = nn.functional.gelu(layer(x))
        return x


@pytest.mark.parametrize(("budget", "is_held"), [("76%", True), ("35%", False)])
def test_a_missed_budget_is_said_once_and_when_a_step_was_measured(compilations, recwarn, budget, is_held):
    remat_studio.install(budget, time_limit=0.1, search_seconds=0.5)
    model, first = torch.compile(Layers()), len(records())
    for _ in range(5):
        model(torch.randn(1024, 64)).square().mean().backward()
    remat_studio.install(None)  # nothing waits to be said any more
    assert records()[first]["missed"]  # for the graph alone
    record, said = records()[-1], [str(each.message) for each in recwarn]
    assert (record["measured"]["peak_bytes"] <= record["budget_bytes"]) == is_held
    assert sum("no plan was found that leaves so much room" in each for each in said) == (not is_held)
    assert not any("No plan for Inductor" in each for each in said)


class Means(Layers):
    """Gives so few numbers that it is worth no other plan whether the script holds them."""

    def forward(self, x):
        return super().forward(x).mean(0)


def test_no_plan_is_made_once_more_for_a_few_numbers_that_are_let_go_of(compilations, recwarn):
    remat_studio.install("30%", time_limit=0.1, search_seconds=0)
    model, first = torch.compile(Means()), len(records())
    for _ in range(3):
        model(torch.randn(8192, 64)).square().mean().backward()
    (record,) = records()[first:]
    assert record["measured"]["peak_bytes"] > record["budget_bytes"]
    assert ["no plan was found that leaves so much room" in str(each.message) for each in recwarn] == [True]


ONE_STEP = """
import sys
sys.path[:0] = sys.argv[1:]
import remat_studio, torch
from support import quick_inductor
from test_train_inductor_steps import Layers
with quick_inductor(sys.argv[3]):
    {}
    model(torch.randn(1024, 64)).square().mean().backward()
    print("over", file=sys.stderr)
"""
WAYS = {
    "install": 'remat_studio.install("1KiB", time_limit=0.1, search_seconds=0); model = torch.compile(Layers())',
    "remat": 'model = torch.compile(Layers(), backend="remat", options={"budget": "1KiB", "time_limit": 0.1})',
    "planned": 'model = remat_studio.planned(Layers(), torch.randn(1024, 64), budget="1KiB", time_limit=0.1)',
}


@pytest.mark.parametrize("way", WAYS)
def test_the_end_of_a_script_says_what_waited_for_a_step_that_did_not_come(tmp_path, way):
    (tmp_path / "script.py").write_text(ONE_STEP.format(WAYS[way]))
    folders = [ROOT / "resources" / "python", ROOT / "tests" / "python", tmp_path / "inductor"]
    ran = subprocess.run(
        [sys.executable, tmp_path / "script.py", *folders],
        env=os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    before, after = ran.stderr.split("over")
    assert "No plan" not in before
    assert len(re.findall(r"script.py:[89]: UserWarning: No plan", after)) == 1


def test_what_waited_for_a_step_is_said_where_the_budget_is_taken_back(compilations, recwarn):
    installed("1KiB")
    model = torch.compile(Layers())
    model(torch.randn(1024, 64)).square().mean().backward()
    count = len(recwarn)
    remat_studio.install(None)
    assert ["No plan for Inductor holds" in str(each.message) for each in [*recwarn][count:]] == [True]
    before = len(records())
    model(torch.randn(1024, 64)).square().mean().backward()
    assert len(recwarn) == count + 1 and len(records()) == before


def test_each_size_waits_for_its_own_measured_step(compilations, recwarn):
    installed("1KiB")
    model = torch.compile(Layers())
    for rows in (512, 1024, 512):
        model(torch.randn(rows, 64)).square().mean().backward()
    assert ["planned once more" in str(each.message) for each in recwarn] == [True]


def test_a_share_is_of_what_lies_between_the_graphs_too(compilations):
    installed("90%")
    model = torch.compile(Net(breaks=True))
    for _ in range(6):
        out = model(torch.randn(64, 32))
        (out.exp().sin() * out.cos().exp()).sum().backward()
    record = records()[-1]
    assert record["graph"]["name"] == "graphs"
    assert record["between_bytes"] > 0
    assert abs(record["measured"]["peak_bytes"] - record["predicted"]["peak_bytes"]) <= 64
    assert record["budget_bytes"] == int(0.9 * record["before_bytes"])


class WithOutput(nn.Module):
    """Gives what its loss is made of, too, which is needed for the backward."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(2)
        self.first, self.last = nn.Linear(16, 128), nn.Linear(128, 256)

    def forward(self, x):
        x = self.first(x)
        for _ in range(3):
            x = x.sin().cumsum(0)
        made = self.last(x)
        return made.sin().square().mean(), made


def test_a_least_that_counts_what_the_script_lets_go_of_says_so(compilations):
    installed("1KiB")
    model, first = torch.compile(WithOutput()), len(records())
    for _ in range(2):
        model(torch.randn(512, 16))[0].backward()
    missed = records()[first]["missed"]
    (said,) = re.findall(r'"(\d+)B"', missed)
    assert records()[-1]["measured"]["peak_bytes"] < 0.9 * int(said)
    assert "are taken to be held to the end of the backward until a step is measured" in missed


class Views(nn.Module):
    """Gives views of what it computes, and of its input; PyTorch makes these behind the graph."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(2)
        self.first, self.second = nn.Linear(64, 96), nn.Linear(96, 64)

    def forward(self, x):
        made = self.second(self.first(x).sin().tanh())
        return x.view(8, -1), made.unflatten(0, (8, -1)).transpose(1, 2)


def test_a_step_whose_outputs_are_views_is_measured(compilations):
    model, x = torch.compile(Views()), torch.randn(512, 64, requires_grad=True)
    for _ in range(5):  # it may be planned once more
        given, made = model(x)
        (given.square().mean() + made.exp().mean()).backward()
        del given, made
    record = records()[-1]
    assert record["measured"]["peak_bytes"] == record["predicted"]["peak_bytes"]


def test_a_graph_waits_for_its_backward_though_the_script_lets_go_of_an_output_that_this_reads():
    waiting = []
    forward = halves.forward_of(lambda given: [given[0].exp()] * 2, lambda: None, waiting.append)

    class Exp(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            output, saved = forward([x])
            ctx.save_for_backward(saved)
            return output

        @staticmethod
        def backward(ctx, gradient):
            return gradient * ctx.saved_tensors[0]

    x = torch.ones(3, requires_grad=True)
    loss = Exp.apply(x).sum()
    assert waiting[0]() is not None, "as if it had no backward, and the next graph were another step"
    loss.backward()
    torch.testing.assert_close(x.grad, x.exp())
    del loss
    assert waiting[0]() is None
