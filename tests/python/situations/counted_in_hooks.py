# SPDX-License-Identifier: Apache-2.0
"""Seen: hooks that count or average in buffers what comes by in the backward. A capture runs the backward on stand-ins,
and the hook wrote to the real buffer.

Right: a trace is refused in a sentence and leaves the buffer as it was; a compiled step is equal bit for bit.
"""

import torch
from torch import nn


class Counted(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.first, self.second = nn.Linear(width, width), nn.Linear(width, width)
        self.register_buffer("count", torch.zeros(1))

    def forward(self, x):
        a, b = self.first(x), self.second(x)
        if a.requires_grad:
            torch.autograd.graph.register_multi_grad_hook((a, b), lambda _: self.count.add_(1))
        return a * b


def make():
    torch.manual_seed(0)
    return Counted(), (torch.randn(6, 8),), lambda y: y.square().mean()
