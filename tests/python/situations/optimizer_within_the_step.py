# SPDX-License-Identifier: Apache-2.0
"""Made up: a forward fits a copy of a parameter with an optimizer of its own, as in learning to learn.

Right: what eager mode computes. Dynamo writes the update as a product and a sum, which rounds otherwise: said with its
size, and not taken for an update of the model.
"""

import torch
from torch import nn


class Fits(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.linear, self.start = nn.Linear(width, width), nn.Parameter(torch.randn(width, 3))

    def forward(self, x):
        fitted = self.start.detach().clone().requires_grad_()
        optimizer = torch.optim.SGD([fitted], lr=0.1)
        with torch.enable_grad():
            (self.linear(x).detach() @ fitted).square().sum().backward()
            optimizer.step()
        return self.linear(x) @ fitted.detach()


def make():
    torch.manual_seed(0)
    return Fits(), (torch.randn(6, 8),), lambda out: out.square().mean()
