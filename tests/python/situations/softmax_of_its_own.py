# SPDX-License-Identifier: Apache-2.0
"""Seen: transformers' SEW-D and older DeBERTa: a masked softmax as an autograd.Function, which fills its result in
place, in a step that Dynamo breaks.

Right: the trace is equal to plain PyTorch. Dynamo loses the gradient of the scores, and the certificate is red.
"""

import torch
from torch import nn


class MaskedSoftmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scores, mask):
        shares = torch.softmax(scores.masked_fill(mask, torch.finfo(scores.dtype).min), -1)
        shares.masked_fill_(mask, 0)
        ctx.save_for_backward(shares)
        return shares

    @staticmethod
    def backward(ctx, gradient):
        (shares,) = ctx.saved_tensors
        return torch._softmax_backward_data(gradient, shares, -1, shares.dtype), None


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(16, 16) for _ in range(3))

    def forward(self, x, mask):
        scores = self.query(x) @ self.key(x).transpose(1, 2)
        torch._dynamo.graph_break()
        return MaskedSoftmax.apply(scores, mask) @ self.value(x)


def make():
    torch.manual_seed(0)
    return Attention(), (torch.randn(4, 12, 16), torch.rand(4, 12, 12) > 0.8), lambda y: y.square().mean()
