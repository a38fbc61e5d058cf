# SPDX-License-Identifier: Apache-2.0
"""Made up: a batch norm of features that stand last, transposed to where it wants them and back.

A CPU's kernel gives its result in order, PyTorch 2.11's stand-in in that of the input: a graph then views what must be
copied. PyTorch's own aot_eager fails with that.

Right: equal, with the copy that eager mode makes.
"""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.norm, self.mix = nn.BatchNorm1d(width), nn.Linear(width, width)

    def forward(self, x):
        return torch.tanh(self.mix(self.norm(x.transpose(1, 2)).transpose(1, 2).flatten(0, 1))).view(x.shape)


def make():
    torch.manual_seed(0)
    return nn.Sequential(*(Block() for _ in range(4))), (torch.randn(8, 16, 24),), lambda y: y.square().mean()
