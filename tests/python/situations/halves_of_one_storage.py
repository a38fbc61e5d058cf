# SPDX-License-Identifier: Apache-2.0
"""Seen: parameters and buffers that are parts of one flat tensor, as flat optimizers have them. Each is stored by itself,
and one does not begin where its storage does.

Right: both halves change, and everything is equal bit for bit.
"""

import torch
from torch import nn


class Halves(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        flat, both = torch.randn(2 * width * width), torch.zeros(2 * width)
        self.first = nn.Parameter(flat[: width * width].view(width, width))
        self.second = nn.Parameter(flat[width * width :].view(width, width))
        self.register_buffer("low", both[:width])
        self.register_buffer("high", both[width:])

    def forward(self, x):
        y = torch.tanh(x @ self.first) @ self.second
        with torch.no_grad():
            self.low.lerp_(y.mean(0), 0.1)
            self.high.copy_(self.low * 2)
        return y * (1 + self.high)


def make():
    torch.manual_seed(0)
    return Halves(), (torch.randn(6, 8),), lambda y: y.square().mean()
