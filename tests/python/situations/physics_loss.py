# SPDX-License-Identifier: Apache-2.0
"""Made up, of the kind of pytorch/pytorch#102223: a loss that is a differential equation, with a Laplacian by two
gradients and a derivative along a direction by forward mode.

Right: traced as one joint graph. Forward mode's zeros have no memory in PyTorch, and have in the graph.
"""

import torch
from torch import nn


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))

    def forward(self, x):
        x = x.detach().requires_grad_()
        field = self.net(x)
        slope = torch.autograd.grad(field.sum(), x, create_graph=True)[0]
        bends = [torch.autograd.grad(slope[:, i].sum(), x, create_graph=True)[0][:, i] for i in range(2)]
        along = torch.func.jvp(self.net, (x,), (torch.ones_like(x),))[1]
        return sum(bends) + field[:, 0] + along[:, 0]


def make():
    torch.manual_seed(0)
    return Residual(), (torch.rand(64, 2),), lambda residual: residual.square().mean()
