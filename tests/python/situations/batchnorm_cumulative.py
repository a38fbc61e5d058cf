# SPDX-License-Identifier: Apache-2.0
"""Seen: pytorch/pytorch#96136, #62471: checkpointing updates running statistics twice. With momentum=None the factor of
the average is read from a buffer.

Right: running statistics and the count are those of plain PyTorch, counted once.
"""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(channels, momentum=None)

    def forward(self, x):
        return torch.relu(self.norm(self.conv(x)) + x)


def make():
    torch.manual_seed(0)
    blocks = (Block(16) for _ in range(4))
    model = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), *blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten())
    return model.train(), (torch.randn(8, 3, 24, 24),), lambda y: y.square().mean()
