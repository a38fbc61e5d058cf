# SPDX-License-Identifier: Apache-2.0
"""What leaves a compiled step and gets no gradient takes no memory in the backward, and no gradient goes on from it."""

import gc

import pytest
import remat_studio
import torch
from remat_studio.comparison.held import measured
from remat_studio.train import records
from torch import nn
from training import compiled, planner

__all__ = ["planner"]


class Remembering(nn.Module):
    """Gives what each layer made beside the output, as a cache of keys and values would be."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.layers = nn.ModuleList(nn.Linear(32, 32) for _ in range(5))

    def forward(self, x):
        kept = []
        for layer in self.layers:
            x = torch.tanh(layer(x))
            kept.append((x * 2).reshape(-1, 8, 32).transpose(1, 2))
        return x, kept


def step(call, x, which):
    """The peak of a step whose loss reads the output, and also some of the rest."""
    found = []
    with measured(found):
        output, kept = call(x)
        loss = output.square().mean() + sum(kept[index].sin().mean() for index in which)
        loss.backward()
    return found[0]


@pytest.mark.parametrize("which", [(), (1,), (0, 1, 2, 3, 4)], ids=["none", "one", "all"])
def test_gradients_are_those_of_plain_pytorch_whatever_comes(which):
    x, found = torch.randn(64, 32), []
    for wrap in (lambda model: model, lambda model: compiled(model, "80%")):
        model = Remembering()
        call = wrap(model)
        for _ in range(2):
            step(call, x, which)
        found.append([parameter.grad for parameter in model.parameters()])
    assert all(map(torch.equal, *found))


def test_what_never_comes_is_not_held():
    x, model = torch.randn(4096, 32), Remembering()
    call = compiled(model, "100%")
    for each in (call, model):
        step(each, x, ())
        model.zero_grad()
    own, plain = (step(each, x, ()) for each in (call, model))
    assert own <= 1.01 * plain


@pytest.mark.parametrize("budget", ["100%", "85%"])
def test_once_it_is_known_what_never_comes_the_plan_is_made_again_without_its_zeros(budget):
    x, model, begin = torch.randn(4096, 32), Remembering(), len(records())
    call, held = compiled(model, budget, time_limit=20), []  # enough for a busy machine, too
    for _ in range(4):
        with measured(held):
            output, kept = call(x)
            output.mean().backward()
        del output, kept
        model.zero_grad()
    first, last = records()[begin:]  # so it was planned twice
    assert last["before_bytes"] < 0.9 * first["before_bytes"]
    assert held[-1] == pytest.approx(last["predicted"]["peak_bytes"], rel=0.001)
    assert last["predicted"]["peak_bytes"] <= last["budget_bytes"] < first["budget_bytes"]
    assert step(call, x, (0, 1)) > 0  # what comes all the same is no zero
    own = [parameter.grad for parameter in model.parameters()]
    plain = Remembering()
    step(plain, x, (0, 1))
    assert all(map(torch.equal, own, (parameter.grad for parameter in plain.parameters())))


class WithUnread(nn.Module):
    """Two layers whose results nobody reads; one is in a graph behind a break, and reads what the other made.

    The gradient of what the other made is added in place to that of what is read.
    """

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.first, self.aside, self.last, self.unread = (nn.Linear(32, 32) for _ in range(4))

    def forward(self, x):
        x = self.first(x)
        aside = x + self.aside(torch.ones_like(x))
        x = torch.tanh(x)
        torch._dynamo.graph_break()
        return self.last(x), self.unread(aside * x)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_what_gradients_would_only_come_to_from_there_gets_none():
    x, found = torch.randn(64, 32), []
    for wrap in (lambda model: model, lambda model: compiled(model, "80%")):
        model = WithUnread()
        call, optimizer = wrap(model), torch.optim.AdamW(model.parameters(), 0.1)
        for _ in range(3):
            output, _ = call(x)
            output.square().mean().backward()
            optimizer.step()
            found.append({name: parameter.grad for name, parameter in model.named_parameters()})
            optimizer.zero_grad()
        found.append(dict(model.named_parameters()))
    plain, own = found[:4], found[4:]
    assert {name for name, grad in own[0].items() if grad is None} == {
        f"{layer}.{kind}" for layer in ("aside", "unread") for kind in ("weight", "bias")
    }
    for each, other in zip(plain, own, strict=True):
        assert all(other[name] is value or torch.equal(other[name], value) for name, value in each.items())


class Carrying(nn.Module):
    """A cell that goes over a part of a long sequence, and gives its state for the next part."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.of_input, self.of_state, self.out = nn.Linear(16, 128), nn.Linear(128, 128), nn.Linear(128, 1)

    def forward(self, x, state):
        found = []
        for item in x.unbind(1):
            state = torch.tanh(self.of_input(item) + self.of_state(state))
            found.append(self.out(state))
        return torch.stack(found, 1), state


class TwoHeads(nn.Module):
    """The loss reads the first one alone."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.body = nn.Sequential(*(nn.Sequential(nn.Linear(64, 64), nn.Tanh()) for _ in range(6)))
        self.read = nn.Linear(64, 1)
        self.unread = nn.Sequential(nn.Linear(64, 256), nn.Tanh(), nn.Linear(256, 128))

    def forward(self, x, _):
        x = self.body(x)
        return self.read(x), self.unread(x)


@pytest.mark.parametrize("way", ["planned", "compiled"])
@pytest.mark.parametrize("make", [Carrying, TwoHeads])
def test_a_percentage_is_of_what_eager_mode_holds(make, way):
    x = torch.randn(512, 8, 16) if make is Carrying else torch.randn(512, 64)
    model, found = make(), []
    options = {"budget": "80%", "time_limit": 20}
    if way == "planned":
        own = remat_studio.planned(model, (x, torch.zeros(512, 128)), **options)
    else:
        own = torch.compile(model, backend="remat", options=options)
    for call in (model, own):
        held, state = [], torch.zeros(512, 128)
        for _ in range(6):
            gc.collect()
            with measured(held):
                output, state = call(x, state.detach())
                output.square().mean().backward()
            gradients = [parameter.grad for parameter in model.parameters()]
            model.zero_grad()
        found.append((held[-1], gradients))
    (plain, eager), (planned, gradients) = found
    assert records()[-1]["step"]["keep_all_peak_bytes"] == pytest.approx(plain, rel=0.015)
    assert planned <= 0.8 * 1.015 * plain
    assert all(a is b or torch.equal(a, b) for a, b in zip(eager, gradients, strict=True))


def test_what_comes_only_later_is_planned_for_then():
    x, model, begin = torch.randn(4096, 32), Remembering(), len(records())
    call = compiled(model, "90%")
    for which in [(), (), (1, 3), (1, 3), (1, 3)]:
        peak = step(call, x, which)
        gradients = [parameter.grad for parameter in model.parameters()]
        model.zero_grad()
    first, without, last = records()[begin:]
    assert without["before_bytes"] < last["before_bytes"] < first["before_bytes"]
    assert peak <= last["predicted"]["peak_bytes"] + 3 * 4096 * 32 * 4  # what the loss itself holds of two of these
    plain = Remembering()
    step(plain, x, (1, 3))
    assert all(map(torch.equal, gradients, (parameter.grad for parameter in plain.parameters())))


class Affine(torch.autograd.Function):
    """Its backward gives no zeros for zeros, and is one node for two outputs."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def backward(ctx, first, second):
        (x,) = ctx.saved_tensors
        return first * 2 + (second + x)


class OfOne(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.layer, self.other = nn.Linear(8, 8), nn.Linear(8, 8)

    def forward(self, x):
        first, second = Affine.apply(self.layer(x))
        return first * 3, second * 3, *Affine.apply(self.other(x))


@pytest.mark.parametrize("way", ["planned", "compiled"])
def test_a_node_of_autograd_runs_as_a_whole_or_not_at_all(way):
    x, found = torch.randn(4, 8), []
    for is_plain in (True, False):
        model = OfOne()
        own = remat_studio.planned(model, (x,), budget="100%") if way == "planned" else compiled(model, "100%")
        for _ in range(3):
            model.zero_grad()
            (model if is_plain else own)(x)[0].sum().backward()
        found.append([parameter.grad for parameter in model.parameters()])
    assert all(a is b or torch.equal(a, b) for a, b in zip(*found, strict=True))
    assert [gradient is None for gradient in found[1]] == [False, False, True, True]
