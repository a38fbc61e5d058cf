# SPDX-License-Identifier: Apache-2.0
"""The reversible block as older libraries write it: its backward calls ``backward()``, which adds to ``.grad`` itself.

Right: the gradients of plain PyTorch, once, however often the step is compared. A joint graph has none of them.
"""

import reversible_block
import torch


class Adding(reversible_block.Coupled):
    @staticmethod
    def backward(ctx, gradient):
        (second,) = ctx.saved_tensors
        to_first, to_second = gradient.chunk(2, 1)
        with torch.enable_grad():
            second = second.detach().requires_grad_()
            ctx.inside(second).backward(to_first)
        return torch.cat([to_first, to_second + second.grad], 1), None, *[None for _ in ctx.inside.parameters()]


class Reversible(reversible_block.Reversible):
    function = Adding


def make():
    return reversible_block.make(Reversible)
