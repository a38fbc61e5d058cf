# SPDX-License-Identifier: Apache-2.0
"""Seen: pytorch/pytorch#190758, #190717: below a memory budget of 1 random ops are computed again with fresh numbers:
wrong gradients without a warning.

Right: what is computed again draws the recorded numbers, and results are equal bit for bit.
"""

import torch
from torch import nn


class NoisyBlock(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.drop = nn.Dropout(0.25)

    def forward(self, x):
        weight = self.up.weight + 0.01 * torch.randn_like(self.up.weight)  # variational noise
        hidden = self.drop(torch.nn.functional.gelu(torch.nn.functional.linear(x, weight, self.up.bias)))
        return x + self.drop(self.down(hidden))


def make():
    torch.manual_seed(0)
    model = nn.Sequential(*(NoisyBlock(64) for _ in range(6))).train()
    return model, (torch.randn(128, 64),), lambda y: y.square().mean()
