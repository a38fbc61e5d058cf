# SPDX-License-Identifier: Apache-2.0
"""Outputs of one planned module: gradients of one by another, which hooks see as well, are those of eager mode."""

import copy
import warnings

import pytest
import remat_studio
import torch
from remat_studio.train import records
from torch import nn
from training import planner

__all__ = ["planner"]


class Stages(nn.Module):
    """Gives its last value first, and the two that it comes from; another one depends on neither."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.first, self.norm, self.second = nn.Linear(16, 32), nn.BatchNorm1d(32), nn.Linear(32, 32)
        self.drop, self.head, self.other = nn.Dropout(0.2), nn.Linear(32, 4), nn.Linear(16, 4)

    def forward(self, x):
        one = self.norm(self.first(x)).relu()
        two = self.second(self.drop(one)).tanh() * one
        return self.head(two), one, two, self.other(x)


def by_both(model, ask):
    """What ``ask`` gives for the model as it is, and for the planned one; and what that said of second runs."""
    x, found, said = torch.randn(64, 16), [], []
    for step in (copy.deepcopy(model), remat_studio.planned(copy.deepcopy(model), (x,), budget="80%", time_limit=0.2)):
        torch.manual_seed(1)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            found.append(ask(step, *step(x)))
    return *found, [str(each.message) for each in said if "forward runs once more" in str(each.message)]


def by_one(_model, last, one, _two, other):
    """The gradient that a value in the middle gets from the end."""
    return torch.autograd.grad(last.square().mean() + other.sum(), one)


def by_two_and_weights(model, last, one, two, other):
    """The same in each of two places, which also have losses of their own, and in the weights."""
    loss = last.square().mean() + one.square().sum() + two.sin().sum() + other.sum()
    return torch.autograd.grad(loss, [two, one, *model.parameters()])


def kept(model, last, one, _two, _other):
    """A value that keeps its gradient, and what all weights get."""
    one.retain_grad()
    (last.square().mean() + one.sum()).backward()
    return [one.grad, *(p.grad for p in model.parameters() if p.grad is not None)]


def changed(model, last, _one, two, _other):
    """A hook that changes a gradient on its way."""
    two.register_hook(lambda gradient: 0.5 * gradient)
    last.square().mean().backward()
    return [p.grad for p in model.parameters() if p.grad is not None]


def first_one(model, last, one, two, _other):
    """A gradient that is asked for before the backward of the step."""
    (found,) = torch.autograd.grad(last.square().mean(), one, retain_graph=True)
    (last.square().mean() * found.norm().detach() + two.sum()).backward()
    return [found, *(p.grad for p in model.parameters() if p.grad is not None)]


@pytest.mark.parametrize("ask", [by_one, by_two_and_weights, kept, changed, first_one])
def test_gradients_by_outputs_are_those_of_eager_mode(ask):
    plain, own, said = by_both(Stages(), ask)
    assert len(plain) == len(own)
    for value, wanted in zip(own, plain, strict=True):
        torch.testing.assert_close(value, wanted, rtol=1e-5, atol=1e-4)
    assert len(said) == 1 and "by an output of a planned module" in said[0]


def ordinary(model, last, one, _two, other):
    """A step that asks for no gradient of a value in the middle."""
    last /= 2  # as loops of distillation do
    loss = last.square().mean() + one.square().sum() + other.sum()
    return torch.autograd.grad(loss, [*model.parameters()])


def test_other_steps_have_their_plan_and_its_bits():
    before = len(records())
    plain, own, said = by_both(Stages(), ordinary)
    assert all(map(torch.equal, own, plain))
    assert not said and len(records()) == before + 1


def penalty(model, last, one, two, other):
    """A gradient by a value in the middle that is part of the loss."""
    loss = last.square().mean() + one.sin().sum() + other.sum()
    found, more = torch.autograd.grad(loss, [one, two], create_graph=True)
    loss = found.square().sum() + more.norm() + last.square().mean() + two.sin().sum()
    return [found, more, *torch.autograd.grad(loss, [*model.parameters()], allow_unused=True)]


def penalty_alone(model, last, one, _two, _other):
    """The same without another loss."""
    (found,) = torch.autograd.grad(last.square().mean(), one, create_graph=True)
    return torch.autograd.grad(found.square().sum(), [*model.parameters()], allow_unused=True)


@pytest.mark.parametrize("ask", [penalty, penalty_alone])
def test_gradients_by_outputs_are_differentiated_again_as_in_eager_mode(ask):
    plain, own, _ = by_both(Stages(), ask)
    for value, wanted in zip(own, plain, strict=True):
        assert (value is None) == (wanted is None)
        if wanted is not None:
            torch.testing.assert_close(value, wanted, rtol=1e-5, atol=1e-4)
