# SPDX-License-Identifier: Apache-2.0
"""Seen as: LayerDrop and mixup that draw from Python's `random` or NumPy, as older layers of fairseq and timm do.

Right: another draw in each step. A graph has one draw as a constant, so that a trace says so, a plan of it is not
applied, and a planned module leaves the line to eager mode.
"""

import random

import torch
from torch import nn


class LeavesOut(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(3))

    def forward(self, x):
        for layer in self.layers:
            if random.random() < 0.5:
                x = torch.tanh(layer(x))
        return self.layers[0](x) * random.uniform(0.5, 1.5)


def make():
    torch.manual_seed(0)
    return LeavesOut(), (torch.randn(6, 8),), lambda out: out.square().mean()
