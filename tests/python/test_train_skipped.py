# SPDX-License-Identifier: Apache-2.0
"""What Dynamo leaves out as a whole: no graph of it comes to a backend, and still it is said."""

import os
import types
import warnings

import pytest
import remat_studio
import torch
import transformers
from remat_studio.train import records, skipped, telling
from torch import nn
from torch.distributed.fsdp import fully_shard
from training import chain, compiled, mean_square, one_rank, planner

__all__ = ["one_rank", "planner"]


class Layers(nn.Module):
    """Calls in a loop what Dynamo does not look into."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(8, 8) for _ in range(2))

    @torch.compiler.disable
    def looked_at(self, x):
        return x * 2

    def forward(self, x):
        for layer in self.layers:
            x = self.looked_at(layer(x))
        return x


class Recurrent(nn.Module):
    """Dynamo leaves its inner module out."""

    def __init__(self):
        super().__init__()
        self.inner = nn.LSTM(8, 16)

    def forward(self, x):
        return self.inner(x)[0]


class Block(nn.Module):
    """A layer of one's own."""

    def __init__(self):
        super().__init__()
        self.inner = chain(width=16, depth=2)

    def forward(self, x):
        return x + self.inner(x)[:, :1]


def step_of(forward, x, then=lambda: None):
    """One step, with the loss outside of what is compiled; the sentences that came."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        mean_square(forward, x).backward()
        then()
    return [str(each.message) for each in said if "Dynamo" in str(each.message)]


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch):
    """As in a process of its own."""
    torch._dynamo.utils.counters.clear()
    skipped.say_for("remat")
    monkeypatch.setattr(skipped, "_backends", {"remat": set()})
    monkeypatch.setattr(skipped, "_planned", [])
    monkeypatch.setattr(skipped, "_is_seen", False)
    monkeypatch.setattr(skipped, "_is_over", False)
    monkeypatch.setattr(telling, "_told_of_all", set())


def test_a_break_in_a_loop_is_said_with_the_way_out():
    before = len(records())
    forward = compiled(Layers())
    said = step_of(forward, torch.ones(3, 8))
    assert len(said) == 1 and "Layers.forward" in said[0] and __file__ in said[0] and "layer by layer" in said[0]
    assert " at 0x" not in said[0]
    assert not step_of(forward, torch.ones(4, 8)) and len(records()) == before


def test_a_module_that_dynamo_does_not_look_into_is_said_with_its_advice():
    said = step_of(compiled(Recurrent()), torch.ones(5, 3, 8))
    assert len(said) == 1 and "Recurrent.forward" in said[0] and "allow_rnn=True" in said[0]


def test_an_evaluation_needs_no_plan_and_hears_nothing():
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("error")
        compiled(Layers())(torch.ones(3, 8))


def test_it_is_said_of_plain_compile_while_plans_are_installed():
    remat_studio.install("60%")
    try:
        assert len(step_of(torch.compile(Layers()), torch.ones(3, 8))) == 1
    finally:
        remat_studio.install(None)
    torch._dynamo.reset()
    assert not step_of(torch.compile(Layers()), torch.ones(3, 8))


def test_layers_that_are_sharded_one_by_one(one_rank):
    model = Layers()
    for layer in model.layers:
        fully_shard(layer)
    said = step_of(compiled(fully_shard(model)), torch.ones(3, 8))
    assert "compile each before it is sharded" in said[0]


@pytest.mark.parametrize("make", [lambda: chain(width=16, depth=2), Block], ids=["of_pytorch", "of_ones_own"])
def test_a_layer_that_is_compiled_and_then_sharded(one_rank, make):
    before, layer = len(records()), make()
    layer.compile(backend="remat", options={"budget": "60%", "time_limit": 0.2})
    layer = fully_shard(layer)
    update = torch.optim.SGD(layer.parameters(), 0.1)
    said = step_of(layer, torch.ones(3, 8), update.step)
    if isinstance(layer, Block):
        assert not said and len(records()) > before
    else:
        assert len(said) == 1 and "modules of your own classes" in said[0]


def test_updates_of_what_is_not_compiled_hear_nothing():
    model = chain()
    update = torch.optim.SGD(model.parameters(), 0.1)
    assert not step_of(model, torch.ones(3, 8), update.step)


def test_a_planned_module_whose_layers_are_sharded_one_by_one_runs_and_says_so(one_rank):
    torch.manual_seed(0)
    model, x = Layers(), torch.ones(3, 8)
    expected = mean_square(model, x).detach()
    planned = remat_studio.planned(model, (x,), budget="60%", time_limit=0.2)
    for layer in model.layers:
        fully_shard(layer)
    fully_shard(planned)
    with pytest.warns(UserWarning, match="Layers is planned in parts.* before it is sharded"):
        loss = mean_square(planned, x)
    loss.backward()
    assert torch.equal(loss.detach(), expected)


def test_gradients_inside_of_what_is_compiled_are_said():
    model, x = chain(), torch.ones(3, 8)
    given = {name: parameter.detach() for name, parameter in model.named_parameters()}

    def loss(state, x):
        return torch.func.functional_call(model, state, (x,)).square().mean()

    with pytest.warns(UserWarning, match="torch.func.grad inside .* without a plan"):
        found = compiled(torch.func.grad(loss))(given, x)
    expected = torch.func.grad(loss)(given, x)
    assert all(torch.equal(found[name], expected[name]) for name in given)


class Headed(nn.Module):
    """A body and a head, as of a language model."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(3)
        self.body, self.head = chain(), nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.body(x))


@pytest.mark.parametrize("is_replaced", [True, False])
def test_a_planned_module_whose_forward_a_library_replaces(is_replaced):
    model = remat_studio.planned(Headed(), (torch.ones(3, 8),), budget="100%", time_limit=0.2)
    if is_replaced:  # as the trainers of TRL do, for a head that is fused with the loss
        model.forward = types.MethodType(lambda self, x: self.head(self.body(x)) * 2, model)
    update = torch.optim.SGD(model.parameters(), 0.1)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        for _ in range(2):
            mean_square(model, torch.ones(3, 8)).backward()
            update.step()
    found = [str(each.message) for each in said if "without a call of its forward" in str(each.message)]
    assert len(found) == is_replaced


@pytest.mark.parametrize("function", [os.path.join, transformers.logging.get_logger])
def test_functions_of_libraries_are_not_named(function):
    assert not skipped._counts(function.__code__)
    assert skipped._counts(step_of.__code__)


def test_shapes_beyond_the_limit_of_dynamo_are_not_said_to_be_left_out_as_a_whole(monkeypatch):
    monkeypatch.setitem(skipped._backends, "remat", set())
    reason = "Dynamo recompile limit exceeded (Limit type: recompile_limit)"
    seen = types.SimpleNamespace(
        backend="remat", skipped=reason, code=Layers.forward.__code__, is_in_loop=False, of=None
    )
    with pytest.warns(UserWarning, match="Layers.forward .* for no further shapes or settings, which eager mode runs"):
        skipped._say(seen)
