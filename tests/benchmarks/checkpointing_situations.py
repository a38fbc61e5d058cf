#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""PyTorch's checkpointing situations: floating-point operations of plans and of its partitioner, at equal measured peak.

The situations are those that PyTorch tests its own ``activation_memory_budget`` with, rebuilt: chains of matrix
products, even and uneven, fans, pairs of which one is cheaper to compute again, attention beside a linear layer,
residual blocks. Its step is measured at each budget, and a plan made whose step holds no more. GF are floating-point
operations of matrix products and attention in the step. Exits with 1 where a plan needs more of them, or gives other
gradients.

    .venv/bin/python tests/benchmarks/checkpointing_situations.py [--only even_chain] [--budgets 0.9,0.7,0.5,0.3,0.1]
"""

import argparse
import operator
import os
import pathlib
import sys
import tempfile
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "resources" / "python"), str(pathlib.Path(__file__).parent)]
os.environ.setdefault("REMAT_BIN", str(ROOT / "build" / "bin"))

import torch  # noqa: E402
import train_against_torch  # noqa: E402
from remat_studio.train import runner  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn.functional import scaled_dot_product_attention  # noqa: E402
from torch.utils.flop_counter import flop_registry  # noqa: E402
from train_measure import peak  # noqa: E402

MIB = 2**20
WIDTH, ROWS = 128, 512


class Chain(nn.Module):
    """Matrix products one after the other, each followed by a cheap operator."""

    def __init__(self, *widths):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(a, b, bias=False) for a, b in zip(widths, widths[1:], strict=False))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x.cos())
        return x


class Fan(nn.Module):
    """Branches of one input, summed."""

    def __init__(self, *widths):
        super().__init__()
        self.branches = nn.ModuleList(Chain(WIDTH, width, WIDTH) for width in widths)

    def forward(self, x):
        return sum(branch(x) for branch in self.branches)


class Pair(nn.Module):
    """Two matrix products whose results weigh the same, of which one is dearer to compute again."""

    def __init__(self, first, second):
        super().__init__()
        self.first, self.second = nn.Linear(first, WIDTH, bias=False), nn.Linear(second, WIDTH, bias=False)

    def forward(self, x):
        a, b = self.first(x[:, : self.first.in_features]), self.second(x[:, : self.second.in_features])
        return a.sin() * b.cos()


class Attention(nn.Module):
    """Attention and a linear layer that keeps as much."""

    def __init__(self):
        super().__init__()
        self.before, self.after = nn.Linear(WIDTH, 3 * WIDTH, bias=False), nn.Linear(WIDTH, WIDTH, bias=False)

    def forward(self, x):
        q, k, v = self.before(x).view(4, -1, 3, 4, WIDTH // 4).permute(2, 0, 3, 1, 4)
        y = scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(-1, WIDTH)
        return self.after(y.relu()).sin()


class Residual(nn.Module):
    """Blocks whose input is added to their output."""

    def __init__(self, *widths, norm=False):
        super().__init__()
        self.blocks = nn.ModuleList(Chain(WIDTH, width, WIDTH) for width in widths)
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) if norm else nn.Identity() for _ in widths)

    def forward(self, x):
        for norm, block in zip(self.norms, self.blocks, strict=True):
            x = x + block(norm(x))
        return x


SITUATIONS = {
    "cheap_chain": lambda: nn.Sequential(nn.Linear(WIDTH, WIDTH, bias=False), *(nn.GELU() for _ in range(5))),
    "even_chain": lambda: Chain(*[WIDTH] * 7),
    "uneven_chain": lambda: Chain(WIDTH, 256, 64, 512, 32, WIDTH),
    "even_fan": lambda: Fan(*[WIDTH] * 4),
    "uneven_fan": lambda: Fan(32, 64, 256, 512),
    "pair": lambda: Pair(32, WIDTH),
    "pair_reversed": lambda: Pair(WIDTH, 16),
    "attention_and_linear": Attention,
    "residual_blocks": lambda: Residual(*[WIDTH] * 4),
    "uneven_residual_blocks": lambda: Residual(64, 512, 128, 256, norm=True),
}


def main():
    options = parser().parse_args()
    folder = tempfile.TemporaryDirectory(prefix="remat-")
    os.environ["XDG_CACHE_HOME"] = folder.name
    print("| situation | its budget | its peak, MiB | its GF | the plan's peak, MiB | the plan's GF | gradients |")
    print("|---|---|---|---|---|---|---|")
    worse = 0
    for name in options.only or SITUATIONS:
        for budget in options.budgets:
            cells, is_right = row(name, budget, options.time_limit)
            worse += not is_right
            print(f"| {name.replace('_', ' ')} | {budget:g} | {cells} |", flush=True)
    return 1 if worse else 0


def parser():
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--only", type=lambda text: text.split(","), help="names of situations")
    made.add_argument(
        "--budgets", type=lambda text: [float(part) for part in text.split(",")], default=[0.9, 0.7, 0.5, 0.3, 0.1]
    )
    made.add_argument("--time-limit", type=float, default=2)
    return made


def row(name, budget, time_limit):
    """A situation at one of PyTorch's budgets, and whether the plan is no worse there."""
    torch._dynamo.reset()
    torch.manual_seed(0)
    model, x = SITUATIONS[name](), torch.randn(ROWS, WIDTH)

    def step():
        return model(x).square().mean()

    with Counted() as counted:
        own = train_against_torch.by_torch(model, step, budget)
        own_flops = counted.of_last_step()
        own_peak, own_gradients = peak(own), gradients(model)
        plan, plan_peak = train_against_torch.planned(model, step, own_peak, time_limit)
        flops = counted.of_last_step()
    plan().backward()
    equal = all(map(torch.equal, own_gradients, gradients(model)))
    cells = f"{own_peak / MIB:.2f} | {own_flops / 1e9:.3f} | {plan_peak / MIB:.2f} | {flops / 1e9:.3f}"
    is_right = equal and plan_peak <= own_peak and flops <= own_flops
    return f"{cells} | {'equal' if equal else 'differ'}", is_right


def gradients(model):
    """What the last step gave each parameter; none are left."""
    found = [parameter.grad for parameter in model.parameters()]
    model.zero_grad(set_to_none=True)
    return found


class Counted:
    """While this is open, counts the operations of each forward and backward graph that is made to run."""

    def __enter__(self):
        self._made, self._boxed = [], runner.boxed
        runner.boxed = self._counting
        return self

    def __exit__(self, *_):
        runner.boxed = self._boxed

    def _counting(self, module, name):
        self._made.append(sum(map(flops_of, module.graph.nodes)))
        return self._boxed(module, name)

    def of_last_step(self):
        """Operations of the forward and the backward that were made last."""
        return sum(self._made[-2:])


def flops_of(node):
    """Floating-point operations of a call, by PyTorch's own count."""
    count = flop_registry.get(getattr(node.target, "overloadpacket", None))
    if node.op != "call_function" or node.target is operator.getitem or count is None:
        return 0
    args, kwargs = torch.fx.map_arg((node.args, node.kwargs), lambda source: source.meta["val"])
    return count(*args, **kwargs, out_val=node.meta["val"])


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    sys.exit(main())
