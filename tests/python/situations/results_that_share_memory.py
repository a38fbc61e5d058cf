# SPDX-License-Identifier: Apache-2.0
"""Made up of what encoders return beside their result: a view of it, and a weight for a penalty or a tied head.

Right: a gradient for each of them. AOTAutograd captures none for a result that lies in another one's memory, or in that
of a parameter, and makes it anew outside of the graph.
"""

import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 16))

    def forward(self, x):
        y = self.inner(x)
        return y, y[:, 0], self.inner[2].weight


def loss(results):
    every, first, weight = results
    return every.square().mean() + first.sin().mean() + (first @ weight).tanh().mean()


def make():
    torch.manual_seed(0)
    return Encoder(), (torch.randn(4, 12, 16),), loss
