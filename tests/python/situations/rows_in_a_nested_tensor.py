# SPDX-License-Identifier: Apache-2.0
"""Made up: sequences of unequal lengths as a nested tensor that the forward makes.

Right: plain PyTorch's gradients. Dynamo of PyTorch 2.11 fails on it with any backend.
"""

import torch
from torch import nn


class Nested(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        rows = torch.nested.as_nested_tensor([x[:2], x[2:]], layout=torch.jagged)
        return torch.cat(list(self.linear(rows).unbind()))


def make():
    torch.manual_seed(0)
    return Nested(), (torch.randn(6, 8),), lambda out: out.square().mean()
