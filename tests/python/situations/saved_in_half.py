# SPDX-License-Identifier: Apache-2.0
"""Made up: hooks keep what autograd saves in half precision, which rounds the gradients.

Right: rounded gradients. A trace has nothing of the hooks and says so; its gradients are the exact ones, in red.
"""

import torch
from torch import nn


class InHalf(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        with torch.autograd.graph.saved_tensors_hooks(torch.Tensor.half, torch.Tensor.float):
            return self.linear(x).sin().exp()


def make():
    torch.manual_seed(0)
    return InHalf(), (torch.randn(6, 8),), lambda out: out.square().mean()
