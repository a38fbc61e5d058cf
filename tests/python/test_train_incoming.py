# SPDX-License-Identifier: Apache-2.0
"""Gradients that a loss outside of a graph gives it: they end in its backward, and hooks see them all the same."""

import contextlib
import copy

import pytest
import remat_studio
import torch
from remat_studio.comparison.held import measured
from remat_studio.train import records
from torch import nn
from torch.nn.functional import cross_entropy
from training import compiled, planner

__all__ = ["planner"]

WIDTH, CLASSES, ROWS = 64, 128, 512
STEPS = 5  # of which the first ones show what the script holds
WAYS = pytest.mark.parametrize("way", ["compiled", "module"])


def model():
    """A model that holds most in the backward of its last layers, when that of its head is over."""
    torch.manual_seed(0)
    layers = (nn.Linear(WIDTH, 8 * WIDTH), nn.GELU(), nn.Linear(8 * WIDTH, WIDTH))
    return nn.Sequential(*[copy.deepcopy(each) for _ in range(2) for each in layers], nn.Linear(WIDTH, CLASSES))


def planned(plain, way):
    if way == "compiled":
        return compiled(plain, "100%")
    return remat_studio.planned(plain, (torch.ones(ROWS, WIDTH),), budget="100%")


def trained(plain, call, loss_of=cross_entropy):
    """What the last of some steps held, and its gradients."""
    torch.manual_seed(1)
    x, wanted, held = torch.randn(ROWS, WIDTH), torch.randint(0, CLASSES, (ROWS,)), []
    for index in range(STEPS):
        plain.zero_grad()
        with measured(held) if index == STEPS - 1 else contextlib.nullcontext():
            loss_of(call(x), wanted).backward()
    return held[0], [p.grad.clone() for p in plain.parameters()]


@WAYS
def test_a_gradient_that_comes_in_ends_after_its_last_use(way):
    plain, own = model(), model()
    wanted_bytes, wanted = trained(plain, plain)
    held, found = trained(own, planned(own, way))
    assert all(map(torch.equal, found, wanted))
    assert held == pytest.approx(wanted_bytes, rel=0.001)
    assert records()[-1]["step"]["keep_all_peak_bytes"] == pytest.approx(wanted_bytes, rel=0.001)


@WAYS
def test_it_may_lie_otherwise_than_what_it_is_of(way):
    def loss_of(out, wanted):
        return cross_entropy(out.T.contiguous().T, wanted) + out.sum()

    plain, own = model(), model()
    _, wanted = trained(plain, plain, loss_of)
    _, found = trained(own, planned(own, way), loss_of)
    assert all(map(torch.equal, found, wanted))


@WAYS
def test_hooks_see_it(way):
    def seen(call):
        found, x = [], torch.linspace(-1, 1, ROWS * WIDTH).reshape(ROWS, WIDTH)
        out = call(x)
        out.register_hook(found.append)
        out.grad_fn.register_prehook(lambda gradients: found.append(gradients[0]))
        out.grad_fn.register_hook(lambda _, gradients: found.append(gradients[0]))
        (out * out).sum().backward()
        return found

    plain = model()
    wanted, found = seen(plain), seen(planned(model(), way))
    assert len(found) == len(wanted) == 3
    assert all(map(torch.equal, found, wanted))


@WAYS
def test_what_someone_else_holds_of_it_stays(way):
    plain = model()
    out = planned(plain, way)(torch.ones(ROWS, WIDTH))
    out.retain_grad()
    gradient = torch.linspace(0, 1, ROWS * CLASSES).reshape(ROWS, CLASSES)
    out.backward(gradient, retain_graph=True)
    once = plain[0].weight.grad.clone()
    out.backward(gradient)
    assert torch.equal(out.grad, 2 * torch.linspace(0, 1, ROWS * CLASSES).reshape(ROWS, CLASSES))
    assert torch.equal(plain[0].weight.grad, 2 * once)
