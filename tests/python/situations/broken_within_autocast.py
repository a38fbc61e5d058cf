# SPDX-License-Identifier: Apache-2.0
"""Made up of SEW's kind: Dynamo breaks a step within a region of autocast, and attention there is in full precision.

Right: the backward is called outside of the region, and its products are in full precision, too. AOTAutograd captures
it as if it were called inside.
"""

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.project = nn.Linear(32, 96)

    def forward(self, x):
        torch._dynamo.graph_break()
        query, key, value = self.project(x).chunk(3, -1)
        with torch.autocast("cpu", enabled=False):
            shares = (query.float() @ key.float().transpose(1, 2)).softmax(-1)
            return shares @ value.float()


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Attention() for _ in range(2))

    def forward(self, x):
        with torch.autocast("cpu", torch.bfloat16):
            for layer in self.layers:
                x = x + layer(x)
        return x


def make():
    torch.manual_seed(0)
    return Encoder(), (torch.randn(4, 12, 32),), lambda y: y.square().mean()
