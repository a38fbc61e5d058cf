# SPDX-License-Identifier: Apache-2.0
"""Seen: pytorch/pytorch#90844, and clipped weights (Wasserstein GANs): a forward that writes to its parameters.

Right: each step writes once, also the one with a certificate; a trace is refused with a way out.
"""

import torch
from torch import nn


class Clipped(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(8, 8), nn.Linear(8, 8)

    def forward(self, x):
        with torch.no_grad():
            self.first.weight.clamp_(-0.1, 0.1)
        self.second.weight.data.mul_(0.99)
        return self.second(torch.tanh(self.first(x)))


def make():
    torch.manual_seed(0)
    return Clipped(), (torch.randn(16, 8),), lambda y: y.square().mean()
