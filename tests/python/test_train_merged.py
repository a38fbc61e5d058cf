# SPDX-License-Identifier: Apache-2.0
"""Equal ops on equal inputs run once in a compiled step, where the backward would hold what each of them makes."""

import pytest
import torch
from remat_studio.train import records
from torch import nn
from torch.utils.checkpoint import checkpoint
from training import compiled, planner

__all__ = ["planner"]


class Layers(nn.Module):
    """Layers of which each makes something of the mask."""

    def __init__(self, of_mask, wrap=lambda part, *given: part(*given)):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(32, 32) for _ in range(3))
        self._of_mask, self._wrap = of_mask, wrap

    def forward(self, x, mask):
        for layer in self.layers:
            x = self._wrap(lambda x, layer=layer: torch.tanh(layer(x)) * self._of_mask(mask), x)
        return x.square().mean()


def run(model):
    """Loss and gradients, plain and compiled, and what the compiled step holds without a plan."""
    torch.manual_seed(0)
    x, mask = torch.randn(512, 32), torch.rand(512, 32) > 0.5
    results = []
    for step in (model, compiled(model, "100%")):
        model.zero_grad()
        torch.manual_seed(1)
        loss = step(x, mask)
        loss.backward()
        results.append([loss.detach(), *(p.grad.clone() for p in model.parameters())])
    return *results, records()[-1]["before_bytes"]


def as_numbers(mask):
    return mask.float()


def given(mask):
    return mask


def dropped(mask):
    return nn.functional.dropout(mask.float(), 0.5)


def test_a_mask_that_each_layer_converts_is_held_once():
    plain, ours, held = run(Layers(as_numbers))
    assert all(map(torch.equal, plain, ours))
    once = Layers(given)
    forward = once.forward
    once.forward = lambda x, mask: forward(x, mask.float())
    assert held == run(once)[2]


def test_random_numbers_are_drawn_anew():
    plain, ours, held = run(Layers(dropped))
    assert all(map(torch.equal, plain, ours))
    assert held > run(Layers(as_numbers))[2] + 2 * 512 * 32  # two more masks at least


def test_what_the_model_checkpoints_is_made_anew():
    def wrap(part, *given):
        return checkpoint(part, *given, use_reentrant=False)

    plain, ours, held = run(Layers(as_numbers, wrap))
    assert all(map(torch.equal, plain, ours))
    assert held < run(Layers(as_numbers))[2]


@pytest.mark.parametrize("reads", [True, False])
def test_what_is_given_back_stays_its_own(reads):
    weight = nn.Parameter(torch.ones(8, 8))

    def step(x):
        first, second = x.exp(), x.exp()
        return (weight * (first + second if reads else x)).sum(), first, second

    loss, first, second = compiled(step, "100%")(torch.ones(8, 8))
    loss.backward()
    first.zero_()
    assert second.eq(torch.ones(8, 8).exp()).all()
