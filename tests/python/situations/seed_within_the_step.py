# SPDX-License-Identifier: Apache-2.0
"""Made up: a forward sets PyTorch's generator, so that each step drops the same numbers.

Right: the numbers of that seed in each step. A graph has nothing of a seed, so that a trace says so and a planned module
leaves the line to eager mode.
"""

import torch
from torch import nn


class Seeds(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(11)
            kept = torch.rand(x.shape) > 0.3
        return nn.functional.dropout(self.linear(x), 0.2) * kept


def make():
    torch.manual_seed(0)
    return Seeds(), (torch.randn(6, 8),), lambda out: out.square().mean()
