# SPDX-License-Identifier: Apache-2.0
"""One of two processes that train together: ``rank.py RANK FOLDER``. What came out is FOLDER/RANK.json."""

import datetime
import json
import os
import sys

import conftest  # noqa: F401  first: it finds the package
import torch
import torch.distributed as dist
from remat_studio.train import PlanError, records
from torch import nn
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel
from training import batches, compiled, mean_square

NO_PLANNER = "/bin/false"  # a rank that calls it fails


class Block(nn.Module):
    """A part whose parameters are gathered and dropped together. Dynamo compiles code of users, not of torch.nn."""

    def __init__(self, width=32):
        super().__init__()
        self.inner = nn.Sequential(*(layer for _ in range(4) for layer in (nn.Linear(width, width), nn.GELU())))

    def forward(self, x):
        return self.inner(x)


class Net(nn.Module):
    """Two blocks and a head."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(3)
        self.first, self.blocks, self.head = (
            nn.Linear(8, 32),
            nn.ModuleList(Block() for _ in range(2)),
            nn.Linear(32, 4),
        )

    def forward(self, x):
        x = self.first(x)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def replicated(model):
    """Gradients are averaged over the ranks."""
    return DistributedDataParallel(model)


def sharded(model):
    """Parameters are spread over the ranks, and gathered block by block."""
    for block in model.blocks:
        fully_shard(block)
    return fully_shard(model)


def gradients(spread, rank, wrap):
    """What two steps add up to in each parameter."""
    model = spread(Net())
    step = wrap(lambda x: mean_square(model, x))
    for x in batches(2):
        step(x.chunk(2)[rank]).backward()
    whole = (p.grad.full_tensor() if hasattr(p.grad, "full_tensor") else p.grad for p in model.parameters())
    return [gradient.clone() for gradient in whole]


def compared(spread, rank):
    """Equal to the same without plans, and near one process with all rows."""
    torch._dynamo.reset()
    before = len(records())
    own = gradients(spread, rank, lambda step: compiled(step, "80%"))
    plain = gradients(spread, rank, lambda step: step)
    model = Net()
    for x in batches(2):
        mean_square(model, x).backward()
    return {
        "equal": all(map(torch.equal, own, plain)),
        "near": all(map(torch.allclose, own, (p.grad for p in model.parameters()))),
        "plans": [record["predicted"] for record in records()[before:]],
    }


def refused():
    """The sentence about a budget that nothing meets."""
    torch._dynamo.reset()
    model = Net()
    try:
        compiled(lambda x: mean_square(model, x), "1%", strict=True)(batches(1)[0])
    except PlanError as error:
        return str(error)


def main(rank, folder):
    os.environ["XDG_CACHE_HOME"] = os.path.join(folder, f"cache{rank}")
    if rank != 0:
        os.environ["REMAT_BIN"] = NO_PLANNER
    torch.set_num_threads(1)
    wait = datetime.timedelta(seconds=120)
    dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=rank, world_size=2, timeout=wait)
    result = {"ddp": compared(replicated, rank), "fsdp2": compared(sharded, rank), "refused": refused()}
    with open(os.path.join(folder, f"{rank}.json"), "w") as file:
        json.dump(result, file)
    dist.destroy_process_group()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
