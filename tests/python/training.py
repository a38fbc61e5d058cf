# SPDX-License-Identifier: Apache-2.0
"""Trains a copy of a model plainly and another one with a plan, for comparison."""

import copy
import dataclasses

import pytest
import torch
import torch.distributed as dist
from remat_studio.train import records
from torch import nn


@dataclasses.dataclass
class Run:
    """What some steps of training left."""

    model: nn.Module
    losses: list
    state: dict
    gradients: dict


def chain(width=32, depth=6):
    """A model whose activations can be computed again one by one."""
    torch.manual_seed(3)
    layers = [nn.Linear(8, width)]
    for _ in range(depth):
        layers += [nn.Linear(width, width), nn.GELU()]
    return nn.Sequential(*layers, nn.Linear(width, 4))


def batches(count=3, rows=64):
    """Different values for each step."""
    generator = torch.Generator().manual_seed(5)
    return [torch.randn(rows, 8, generator=generator) for _ in range(count)]


def mean_square(model, *inputs):
    """The loss of one step."""
    return model(*inputs).float().square().mean()


def compiled(function, budget="60%", **options):
    """The function with a plan."""
    return torch.compile(function, backend="remat", options={"budget": budget, "time_limit": 0.2, **options})


def doubling_operator(name, times):
    """An operator that is not PyTorch's: doubles, and takes so many times its input while it runs, which nobody knows."""

    @torch.library.custom_op(f"remat_test::{name}", mutates_args=())
    def doubled(x: torch.Tensor) -> torch.Tensor:
        return x * 2 + 0 * x.repeat(times, 1).sum()

    doubled.register_fake(torch.empty_like)
    doubled.register_autograd(lambda _, gradient: gradient * 2)
    return doubled


def train(model, inputs, wrap=None, loss=mean_square, optimizer=None, seed=11):
    """One step of SGD with momentum for each input, on a copy of the model."""
    model = copy.deepcopy(model)
    make = optimizer or (lambda parameters: torch.optim.SGD(parameters, 0.05, momentum=0.9))
    update = make([p for p in model.parameters() if p.requires_grad])

    def step(*given):
        return loss(model, *given)

    if wrap:
        step = wrap(step)
    losses = []
    torch.manual_seed(seed)
    for given in inputs:
        update.zero_grad()
        value = step(*(given if isinstance(given, tuple) else (given,)))
        value.backward()
        losses.append(value.detach().clone())
        update.step()
    return ended(model, losses)


def ended(model, losses=()):
    """The state of a model after training."""
    state = {name: value.detach().clone() for name, value in model.state_dict().items()}
    gradients = {name: None if p.grad is None else p.grad.clone() for name, p in model.named_parameters()}
    return Run(model, list(losses), state, gradients)


def assert_equal_runs(own, expected):
    """Losses, parameters, buffers and last gradients agree to the bit."""
    for number, (value, wanted) in enumerate(zip(own.losses, expected.losses, strict=True)):
        assert torch.equal(value, wanted), f"the loss of step {number} is {value} instead of {wanted}"
    for name, wanted in expected.state.items():
        assert torch.equal(own.state[name], wanted), f"{name} differs"
    for name, wanted in expected.gradients.items():
        value = own.gradients[name]
        same = value is None if wanted is None else value is not None and torch.equal(value, wanted)
        assert same, f"the gradient of {name} differs"


def assert_planned(below=0.95):
    """The last plan holds less than everything, and computes something again."""
    predicted = records()[-1]["predicted"]
    assert predicted["peak_bytes"] <= below * predicted["keep_all_peak_bytes"]
    assert predicted["time_us"] > predicted["keep_all_time_us"]


@pytest.fixture(autouse=True)
def planner(tmp_path, monkeypatch):
    """A cache of its own, and nothing compiled before."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


@pytest.fixture
def one_rank(tmp_path, monkeypatch):
    """A process group of this process alone."""
    monkeypatch.setenv("GLOO_SOCKET_IFNAME", "lo")
    dist.init_process_group("gloo", init_method=f"file://{tmp_path}/store", rank=0, world_size=1)
    yield
    dist.destroy_process_group()
