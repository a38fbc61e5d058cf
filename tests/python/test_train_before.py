# SPDX-License-Identifier: Apache-2.0
"""A percentage with eager's kernels is of what eager mode holds, by the rules of autograd's engine and of autocast."""

import contextlib

import pytest
import remat_studio
import torch
from remat_studio.comparison.held import measured
from remat_studio.train import records
from torch import nn
from torch.nn.functional import silu
from training import compiled, planner

__all__ = ["planner"]


class Gated(nn.Module):
    """Ends in a product, of which autograd holds both factors until both gradients are made."""

    def __init__(self):
        super().__init__()
        self.gate, self.up = (nn.Linear(32, 256, bias=False) for _ in range(2))

    def forward(self, x):
        return (silu(self.gate(x)) * self.up(x)).float().square().mean()


class ReadByMany(nn.Module):
    """Layers that all read one tensor, and two of one weight."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(64, 64) for _ in range(4))
        self.layers[1].weight = self.layers[0].weight

    def forward(self, x):
        x = x * x.new_ones(1)
        return sum(layer(x).float() for layer in self.layers).square().mean()


class Dropping(nn.Module):
    """Drops after each layer, where eager mode's mask on a CPU is as large as what it drops from."""

    def __init__(self):
        super().__init__()
        self.layers, self.drop = nn.ModuleList(nn.Linear(64, 64) for _ in range(4)), nn.Dropout(0.1)

    def forward(self, x):
        for layer in self.layers:
            x = silu(self.drop(layer(x)))
        return x.float().square().mean()


class OwnTanh(torch.autograd.Function):
    """Has a formula in Python, whose parts end one by one, as Bloom's GELU."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.tanh(x * x * 0.5)

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        value = torch.tanh(x * x * 0.5)
        return gradient * ((1 - value * value) * x)


class Curved(nn.Module):
    """Layers with a custom function behind each."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(64, 64) for _ in range(3))

    def forward(self, x):
        for layer in self.layers:
            x = OwnTanh.apply(layer(x))
        return x.float().square().mean()


CASES = {
    "custom function": (Curved, 64, False),
    "product": (Gated, 32, False),
    "casts": (ReadByMany, 64, True),
    "masks": (Dropping, 64, False),
    "mixed masks": (Dropping, 64, True),
}


@pytest.mark.parametrize("way", ["compiled", "module"])
@pytest.mark.parametrize("case", CASES)
def test_a_percentage_is_of_what_eager_mode_holds(case, way):
    make, width, is_mixed = CASES[case]
    torch.manual_seed(0)
    model, x, held = make(), torch.randn(512, width), []

    def step(call, found=None):
        model.zero_grad()
        with measured(found) if found is not None else contextlib.nullcontext():
            with torch.autocast("cpu", torch.bfloat16, enabled=is_mixed):
                loss = call(x)
            loss.backward()

    step(model)
    step(model, held)
    with torch.autocast("cpu", torch.bfloat16, enabled=is_mixed):
        call = compiled(model, "100%") if way == "compiled" else remat_studio.planned(model, (x,), budget="100%")
    step(call)
    step(call, held)
    plain, own = held
    assert records()[-1]["before_bytes"] == pytest.approx(plain, rel=0.002)
    assert own <= plain
    if case == "casts":  # held once by the plan
        assert own < 0.95 * plain


class TwoHeads(nn.Module):
    """A body, and what two losses are made of."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        layers = [layer for _ in range(4) for layer in (nn.Linear(64, 64), nn.LayerNorm(64), nn.GELU())]
        self.body, self.heads = nn.Sequential(*layers), nn.ModuleList(nn.Linear(64, 16) for _ in range(2))

    def forward(self, x):
        x = self.body(x)
        return [head(x) for head in self.heads]


@pytest.mark.filterwarnings("ignore:A backward ran a second time", "ignore:The step holds")
def test_so_it_is_where_a_second_backward_needs_what_is_saved():
    def held_by(wrap):
        model, held = TwoHeads(), []
        call, x = wrap(model), torch.randn(1024, 64)
        for index in range(10):  # until nothing is planned any more
            model.zero_grad()
            with measured(held) if index == 9 else contextlib.nullcontext():
                first, second = (out.square().mean() for out in call(x))
                first.backward(retain_graph=True)
                second.backward()
                del first, second
        return held[0]

    plain, own = held_by(lambda model: model), held_by(lambda model: compiled(model, "70%"))
    step = records()[-1]["step"]
    assert step["keep_all_peak_bytes"] == pytest.approx(plain, rel=0.02)
    assert own == pytest.approx(step["peak_bytes"], rel=0.001)
    assert own <= step["budget_bytes"]


def generator(*ends):
    """A model whose output is as large as what it holds for each layer."""
    layers = [layer for _ in range(4) for layer in (nn.Linear(64, 64), nn.GELU())]
    return nn.Sequential(*layers, nn.Linear(64, 64), *ends)


class Judge(nn.Module):
    """Reads its input in one linear layer, whose backward needs nothing of it where the weight is not trained."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(*generator(), nn.GELU(), nn.Linear(64, 1)).requires_grad_(False)

    def forward(self, x):
        return self.layers(x).square().mean()


@pytest.mark.filterwarnings("ignore:The step", "ignore:No plan within")
@pytest.mark.parametrize(("ends", "is_held"), [([], False), ([], True), ([nn.Tanh()], False)])
def test_what_is_handed_on_counts_where_eager_mode_holds_it(ends, is_held):
    torch.manual_seed(0)
    first, second, x, found = generator(*ends), Judge(), torch.randn(1024, 64), []

    def held_by(first, second):
        for index in range(6):  # until nothing is planned any more
            with measured(found) if index == 5 else contextlib.nullcontext():
                made = first(x)
                hands = [made]
                del made
                loss = second(hands[0] if is_held else hands.pop())
                loss.backward()
                hands.clear()

    held_by(first, second)
    held_by(compiled(first), compiled(second))
    plain, own = found
    step = records()[-1]["step"]
    assert step["keep_all_peak_bytes"] == pytest.approx(plain, rel=0.002)
    assert own == pytest.approx(step["peak_bytes"], rel=0.002)
