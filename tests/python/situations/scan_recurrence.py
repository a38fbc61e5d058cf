# SPDX-License-Identifier: Apache-2.0
"""Seen: pytorch/pytorch#195977, #153679: a recurrence as one operator of higher order (scan), whose backward stacks
what each step made.

PyTorch 2.11's own gradient of the weight is off by half, in eager mode too: where the first state needs no gradient,
none goes from step to step.

Right: unrolled, with the gradients of a Python loop, and a sentence that the plain step has others.
"""

import torch
from torch import nn
from torch._higher_order_ops.scan import scan


class Recurrence(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.w = nn.Parameter(torch.randn(width, width) * 0.1)

    def forward(self, start, xs):
        def cell(h, x):
            h = torch.tanh(h @ self.w + x)
            return h, h.clone()

        return scan(cell, start, xs)[1]


def make():
    torch.manual_seed(0)
    return Recurrence(), (torch.zeros(4, 24), torch.randn(16, 4, 24)), lambda hs: hs.square().mean()
