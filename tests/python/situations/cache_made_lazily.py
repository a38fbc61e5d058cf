# SPDX-License-Identifier: Apache-2.0
"""Seen: rotary embeddings whose cosines are made at the first call and kept in attributes, or in a dict by length. What
the first of two passes of a trace kept is no tensor of the second.

Right: each trace makes them anew, the model is left without them, and everything is equal bit for bit.
"""

import torch
from torch import nn


class Rotary(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.project, self.angles, self.by_length = nn.Linear(width, width), None, {}

    def forward(self, x):
        if self.angles is None:
            self.angles = 1 / 100 ** (torch.arange(4) / 4)
        if len(x) not in self.by_length:
            turned = torch.outer(torch.arange(float(len(x))), self.angles)
            self.by_length[len(x)] = (turned.cos(), turned.sin())
        cos, sin = self.by_length[len(x)]
        a, b = self.project(x).chunk(2, dim=-1)
        return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)


def make():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(8, 8), Rotary(), Rotary()), (torch.randn(6, 8),), lambda y: y.square().mean()
