# SPDX-License-Identifier: Apache-2.0
"""Made up, after RevNets: a custom function computes its inside again in the backward, and asks autograd there.

Right: the gradients of plain PyTorch. The parameters are read in the backward by the function itself, past what the
step was given.
"""

import torch
from torch import nn


class Coupled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, inside, *_parameters):
        ctx.inside = inside
        with torch.no_grad():
            first, second = x.chunk(2, 1)
            first = first + inside(second)
        ctx.save_for_backward(second.detach())
        return torch.cat([first, second], 1)

    @staticmethod
    def backward(ctx, gradient):
        (second,) = ctx.saved_tensors
        to_first, to_second = gradient.chunk(2, 1)
        with torch.enable_grad():
            second = second.detach().requires_grad_()
            wanted = [second, *ctx.inside.parameters()]
            found = torch.autograd.grad(ctx.inside(second), wanted, to_first)
        return torch.cat([to_first, to_second + found[0]], 1), None, *found[1:]


class Reversible(nn.Module):
    function = Coupled

    def __init__(self, width=8):
        super().__init__()
        self.before, self.inside = nn.Linear(width, width), nn.Linear(width // 2, width // 2)

    def forward(self, x):
        return self.function.apply(self.before(x), self.inside, *self.inside.parameters())


def make(kind=Reversible):
    torch.manual_seed(0)
    return kind(), (torch.randn(6, 8),), lambda out: out.square().mean()
