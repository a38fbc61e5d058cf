# SPDX-License-Identifier: Apache-2.0
"""Seen: pytorch/pytorch#96136, #62471: BatchNorm in a part that a model checkpoints moves its statistics twice.

The part runs again in the backward, and writes its buffers again. A plan computes again only what it reads.

Right: loss and gradients are equal; buffers differ, which is named as what the model's own checkpoints do.
"""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Blocks(nn.Module):
    def __init__(self, use_reentrant):
        super().__init__()
        self.use_reentrant = use_reentrant
        self.first = nn.Linear(8, 16)
        layers = [(nn.Linear(16, 16), nn.Dropout(0.3), nn.Tanh(), nn.BatchNorm1d(16)) for _ in range(3)]
        self.blocks = nn.ModuleList(nn.Sequential(*each) for each in layers)

    def forward(self, x):
        x = self.first(x)
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=self.use_reentrant)
        return x


def make(use_reentrant=False):
    torch.manual_seed(0)
    return Blocks(use_reentrant), (torch.randn(16, 8),), lambda y: y.square().mean()
