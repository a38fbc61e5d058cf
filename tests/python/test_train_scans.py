# SPDX-License-Identifier: Apache-2.0
"""Compiled Mamba models run the loop that eager mode runs, where it is short, and not their parallel scan."""

import pytest
import torch
import transformers
from remat_studio.train import records, scans
from torch._higher_order_ops.associative_scan import associative_scan
from training import compiled, planner

__all__ = ["planner"]

_LENGTH = 8


def mamba(**settings):
    """A tiny model."""
    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "state_size": 4, "num_hidden_layers": 2, "vocab_size": 20}
    return transformers.MambaModel(transformers.MambaConfig(**sizes, use_cache=False, **settings)).train()


def values(step, model, given):
    """Loss and gradients of a step."""
    model.zero_grad()
    loss = step(given)
    loss.backward()
    return [loss.detach(), *(p.grad.clone() for p in model.parameters() if p.grad is not None)]


def run(model, breaks=False):
    """Values of plain PyTorch and of the compiled step, and what this holds without a plan."""

    def step(ids):
        hidden = model(ids).last_hidden_state
        if breaks:
            torch._dynamo.graph_break()
        return hidden.square().mean()

    ids = torch.arange(2 * _LENGTH).view(2, _LENGTH)
    plain, ours = values(step, model, ids), values(compiled(step, "100%"), model, ids)
    return plain, ours, records()[-1]["before_bytes"]


@pytest.mark.parametrize("breaks", [False, True])
def test_a_short_scan_is_the_loop_of_eager_mode(breaks):
    plain, ours, held = run(mamba(), breaks)
    assert all(map(torch.equal, plain, ours))
    torch._dynamo.reset()
    assert held == run(mamba(use_associative_scan=False), breaks)[2]


def test_a_long_scan_stays_one(monkeypatch):
    monkeypatch.setattr(scans, "MOST_STEPS", 2 * 2 * _LENGTH - 1)
    plain, ours, held = run(mamba())
    assert all(map(torch.allclose, plain, ours))
    torch._dynamo.reset()
    assert held > run(mamba(use_associative_scan=False))[2]


def test_a_scan_of_the_user_stays_one():
    weight = torch.nn.Linear(4, 4)

    def step(x):
        if torch.compiler.is_exporting():
            return weight(x).sum() * 2
        return associative_scan(torch.add, weight(x), dim=0, combine_mode="generic").square().mean()

    x = torch.randn(_LENGTH, 4)
    ours = values(compiled(step, "100%"), weight, x)
    hidden = weight(x).cumsum(0).square().mean()
    torch.testing.assert_close(ours[0], hidden)
