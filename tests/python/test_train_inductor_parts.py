# SPDX-License-Identifier: Apache-2.0
"""Several graphs of one step with Inductor's kernels: they share its budget, and strictness is of the step."""

import pytest
import remat_studio
import torch
from remat_studio.comparison.held import measured
from remat_studio.train import PlanError, records, telling
from test_train_inductor import gradients, inductor
from torch import nn
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel
from training import batches, chain, compiled, one_rank, planner

__all__ = ["inductor", "one_rank", "planner"]


class Block(nn.Module):
    """A residual block. Dynamo compiles code of users, not of torch.nn."""

    def __init__(self):
        super().__init__()
        self.norm, self.up, self.down = nn.LayerNorm(32), nn.Linear(32, 128), nn.Linear(128, 32)

    def forward(self, x):
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm(x))))


class Net(nn.Module):
    """Blocks and a loss; Dynamo may be told to break it between blocks."""

    def __init__(self, breaks=False, first=None):
        super().__init__()
        torch.manual_seed(2)
        self.blocks, self.breaks, self.first = nn.ModuleList(Block() for _ in range(3)), breaks, first

    def forward(self, x):
        x = self.first(x) if self.first else x
        for block in self.blocks:
            x = block(x)
            if self.breaks:
                torch._dynamo.graph_break()
        return x.square().mean()


def in_buckets(monkeypatch):
    """A model that DistributedDataParallel cuts into buckets of a block each."""
    monkeypatch.setattr(torch.distributed, "_DEFAULT_FIRST_BUCKET_BYTES", 30_000)
    return DistributedDataParallel(Net(), bucket_cap_mb=0.03)


def sharded(_monkeypatch, model=None):
    """A model whose blocks gather their parameters one by one."""
    model = model or Net()
    for block in model.blocks:
        fully_shard(block)
    return fully_shard(model)


def alike(_monkeypatch):
    """The same with one graph for all blocks, since the input of each has a gradient."""
    return sharded(None, Net(first=nn.Linear(32, 32)))


def by_itself(_monkeypatch):
    """Each block is compiled by itself, and all by one graph."""
    model = Net(first=nn.Linear(32, 32))
    for block in model.blocks:
        block.compile()
    return model


def broken(_monkeypatch):
    """Dynamo breaks the model between its blocks."""
    return Net(breaks=True)


@pytest.mark.rotates(group="inductor")
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("spread", [in_buckets, sharded, alike, by_itself, broken])
def test_graphs_of_one_step_share_its_budget(one_rank, monkeypatch, spread):
    model, x = spread(monkeypatch), torch.randn(512, 32)
    with torch.compiler.set_stance("force_eager"):
        wanted = gradients(model, model, x)
    before = len(records())
    try:
        remat_studio.install("60%", time_limit=0.2)
        step = model if spread is by_itself else torch.compile(model)
        for _ in range(3):  # which graphs there are, their order, and the best choice
            step(x).backward()
            model.zero_grad()
        found = []
        with measured(found):
            step(x).backward()
        own = [p.grad.clone() for p in model.parameters()]
    finally:
        remat_studio.install(None)
    record = next(each for each in records()[before:] if each["graph"]["name"] == "graphs")
    assert len(record["choices"]) > 1
    assert abs(found[0] - record["predicted"]["peak_bytes"]) <= 64  # numbers that collectives make beside the graphs
    assert found[0] <= record["budget_bytes"] < record["before_bytes"]
    for value, other in zip(own, wanted, strict=True):
        value, other = (getattr(each, "full_tensor", lambda each=each: each)() for each in (value, other))
        torch.testing.assert_close(value, other)


@pytest.mark.rotates(group="inductor")
@pytest.mark.parametrize("way", ["codegen", "install"])
def test_strict_refuses_a_step_and_not_the_share_of_a_part(way):
    """No block holds 60 % by itself, and all together do; a graph alone is refused when its first step is over."""

    def train(model, budget, x):
        torch._dynamo.reset()
        if way == "install":
            remat_studio.install(budget, time_limit=0.2, strict=True)
        step = torch.compile(model) if way == "install" else compiled(model, budget, codegen="inductor", strict=True)
        for _ in range(3):
            step(x).sum().backward()
            ran.append(budget)

    ran = []
    try:
        train(Net(breaks=True), "60%", torch.randn(512, 32))
        assert records()[-1]["predicted"]["peak_bytes"] <= records()[-1]["budget_bytes"]
        with pytest.raises(PlanError, match="the smallest exact peak"):
            train(chain(depth=1), "1%", batches(1)[0])
        assert ran.count("1%") == 1
    finally:
        remat_studio.install(None)


@pytest.mark.rotates(group="inductor")
@pytest.mark.parametrize("breaks", [False, True], ids=["one_graph", "two_graphs"])
def test_a_backward_that_runs_again_is_said_of_plain_compile(monkeypatch, breaks):
    monkeypatch.setattr(telling, "_told_of_all", set())
    try:
        remat_studio.install("90%", time_limit=0.2)
        step = torch.compile(Net(breaks))
        for _ in range(3 if breaks else 1):  # of several graphs, the first step shows which there are
            loss = step(torch.randn(64, 32)).sum()
            loss.backward(retain_graph=True)
        with pytest.warns(UserWarning, match="call backward once to hold the budget"):
            loss.backward()
    finally:
        remat_studio.install(None)
