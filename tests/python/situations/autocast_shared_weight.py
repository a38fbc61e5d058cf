# SPDX-License-Identifier: Apache-2.0
"""Seen: pytorch/pytorch#141896, #157104: autocast keeps one copy of a weight in lower precision for a step, and tracing
turns that off. Recurrent and looped models then show a copy for each use.

Right: one cast a weight and step, as eager mode has it; gradients equal bit for bit, since their sum over uses runs
in bfloat16.
"""

import torch
from torch import nn


class Looped(nn.Module):
    def __init__(self, width=256, steps=24):
        super().__init__()
        self.mix, self.add, self.steps = nn.Linear(width, width), nn.Linear(width, width), steps

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            h = torch.zeros_like(x)
            for _ in range(self.steps):
                h = torch.tanh(self.mix(h) + self.add(x))
        return h.float()


def make():
    torch.manual_seed(0)
    return Looped(), (torch.randn(16, 256),), lambda h: h.square().mean()
