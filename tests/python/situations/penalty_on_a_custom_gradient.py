# SPDX-License-Identifier: Apache-2.0
"""Made up: a penalty on a gradient that goes through an ``autograd.Function``.

Right: what eager mode computes. PyTorch 2.11's Dynamo takes the inner gradient for a constant, with its own backends
too, so that the penalty has no gradient; a certificate says which op of eager mode is missing.
"""

import torch
from torch import nn


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return gradient * 3 * x**2


class Penalized(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        out = Cube.apply(self.linear(x))
        (gradient,) = torch.autograd.grad(out.sum(), self.linear.weight, create_graph=True)
        penalty = gradient.square().sum()
        return out.mean() + penalty


def make():
    torch.manual_seed(0)
    return Penalized(), (torch.randn(6, 8),), lambda loss: loss
