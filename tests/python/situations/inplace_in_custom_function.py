# SPDX-License-Identifier: Apache-2.0
"""Seen: pytorch/pytorch#180642: an in-place op in the forward of an autograd.Function gives wrong gradients under
torch.compile, since Dynamo takes a gradient for another one's.

Right: the trace is equal to plain PyTorch. With torch.compile the certificate is red, whatever the plan is.
"""

import torch
from torch import nn


class ScaleShift(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, gain):
        ctx.save_for_backward(x, gain)
        y = x * gain
        y += 1.0  # in place on a fresh tensor: legal in eager
        return y

    @staticmethod
    def backward(ctx, grad):
        x, gain = ctx.saved_tensors
        return grad * gain, (grad * x).sum(0)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(64, 64) for _ in range(4))
        self.gains = nn.ParameterList(nn.Parameter(torch.rand(64) + 0.5) for _ in range(4))

    def forward(self, x):
        for layer, gain in zip(self.layers, self.gains):
            x = torch.tanh(ScaleShift.apply(layer(x), gain))
        return x


def make():
    torch.manual_seed(0)
    return Model(), (torch.randn(512, 64),), lambda y: (y - 0.3).square().sum()
