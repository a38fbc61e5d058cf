# SPDX-License-Identifier: Apache-2.0
"""One of two processes that train with Inductor's kernels: ``inductor_rank.py RANK FOLDER``, which gets RANK.json."""

import contextlib
import datetime
import itertools
import json
import os
import sys
import time
import types
from unittest import mock

import conftest  # noqa: F401  first: it finds the package
import rank as plain_rank
import remat_studio
import torch
import torch.distributed as dist
from remat_studio.comparison.held import measured
from remat_studio.train import inductor_plan, records
from support import quick_inductor
from test_train_inductor_parts import Net
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard

ROWS, CLASSES = 512, 256
STEPS = 8  # until nothing is planned any more, and the last one is measured


class Body(Net):
    """The blocks alone."""

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


def sharded(model):
    """Parameters of each block are spread over the ranks."""
    for block in model.blocks:
        fully_shard(block)
    return fully_shard(model)


def steps(spread, x, count):
    """The losses of some steps of plain ``torch.compile``, the gradients of the last one, and what the last two held."""
    torch._dynamo.reset()
    torch.manual_seed(3)
    model, found, losses = spread(Net()), [], []
    step = torch.compile(model)
    for index in range(count):
        model.zero_grad()
        with measured(found if index >= count - 2 else []):
            loss = step(x)
            loss.backward()
        losses.append(loss.item())
    whole = (getattr(p.grad, "full_tensor", lambda p=p: p.grad)() for p in model.parameters())
    return losses, [gradient.clone() for gradient in whole], found


def compared(spread, x):
    """Equal to plain Inductor's, within the budget, and by which plans."""
    losses, gradients, _ = steps(spread, x, 4)
    before = len(records())
    remat_studio.install("60%", time_limit=0.5)
    try:
        own_losses, own, held = steps(spread, x, 4)
    finally:
        remat_studio.install(None)
    made = records()[before:]
    last = next((each for each in made if each["graph"]["name"] == "graphs"), made[-1])
    return {
        "losses": torch.allclose(torch.tensor(own_losses), torch.tensor(losses)),
        "gradients": all(map(torch.allclose, own, gradients)),
        "held": held,  # a rank that waits for the other keeps a buffer longer
        "budget": last["budget_bytes"],
        "before": last["before_bytes"],
        "predicted": last["predicted"]["peak_bytes"],
        "plans": [each["predicted"] for each in made],
    }


def with_head(x):
    """What a rank holds in bf16 with head and loss outside of what is compiled, and what was planned for it."""
    torch._dynamo.reset()
    torch.manual_seed(3)
    body, head, found = Body(), torch.nn.Linear(32, CLASSES), []
    policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16)
    for part in (*body.blocks, body, head):
        fully_shard(part, mp_policy=policy)
    before, step, wanted = len(records()), torch.compile(body), torch.arange(len(x)) % CLASSES
    remat_studio.install("80%", time_limit=0.5)
    try:
        for index in range(STEPS):
            with measured(found) if index == STEPS - 1 else contextlib.nullcontext():
                torch.nn.functional.cross_entropy(head(step(x)).float(), wanted).backward()
            body.zero_grad()
            head.zero_grad()
    finally:
        remat_studio.install(None)
    made = [each for each in records()[before:] if "measured" in each]
    return {
        "held": found[0],
        "budget": made[-1]["budget_bytes"],
        "plans": [each["predicted"] for each in made],
        "saw": [each["measured"] for each in made],
    }


def hurried(rank, x):
    """By which plans, where rank 1 is out of time at once, and rank 0 is not."""
    clock = types.SimpleNamespace(perf_counter=itertools.count(step=3600).__next__) if rank == 1 else time
    before = len(records())
    remat_studio.install("60%", time_limit=0.5, search_seconds=60)
    try:
        with mock.patch.object(inductor_plan, "time", clock):
            steps(plain_rank.replicated, x, 2)
    finally:
        remat_studio.install(None)
    return [[cut["cut"] for cut in each["tried"]] for each in records()[before:] if "tried" in each]


def main(rank, folder):
    os.environ["XDG_CACHE_HOME"] = os.path.join(folder, f"cache{rank}")
    torch.set_num_threads(1)
    wait = datetime.timedelta(seconds=240)
    dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=rank, world_size=2, timeout=wait)
    torch.manual_seed(7)
    x = torch.randn(2 * ROWS, 32).chunk(2)[rank]
    with quick_inductor(os.path.join(folder, f"kernels{rank}")):
        result = {"ddp": compared(plain_rank.replicated, x), "fsdp2": compared(sharded, x)}
        result["with_head"] = with_head(x)
        result["hurried"] = hurried(rank, x)
    with open(os.path.join(folder, f"{rank}.json"), "w") as file:
        json.dump(result, file)
    dist.destroy_process_group()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
