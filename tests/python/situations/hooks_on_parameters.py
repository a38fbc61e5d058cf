# SPDX-License-Identifier: Apache-2.0
"""Seen: pytorch/pytorch#35802, #91468: hooks run or not, depending on how gradients are asked for.

A hook on a parameter changes its gradient on the way into `.grad`; a graph ends before that.

Right: the gradient that the hook makes of it, once, on each route; comparisons leave hooks alone.
"""

import torch
from torch import nn


def make():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 8))
    model[0].weight.register_hook(lambda gradient: gradient * 0.5)
    return model, (torch.randn(16, 8),), lambda y: y.square().mean()
