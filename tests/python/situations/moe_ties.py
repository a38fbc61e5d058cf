# SPDX-License-Identifier: Apache-2.0
"""Seen: NVIDIA-NeMo/Automodel#3140, pytorch/torchtitan#3600: a router computed again picks other experts where scores
tie. Three quarters of these tokens are equal.

Right: results are equal, or differ by the order of a sum: threads add gradients of indexed rows in any order.
"""

import torch
from torch import nn


class MoE(nn.Module):
    def __init__(self, width=32, experts=8, k=2):
        super().__init__()
        self.router = nn.Linear(width, experts, bias=False)
        self.w1 = nn.Parameter(torch.randn(experts, width, 2 * width) * 0.1)
        self.w2 = nn.Parameter(torch.randn(experts, 2 * width, width) * 0.1)
        self.k = k

    def forward(self, x):
        scores = self.router(x).float().softmax(-1)
        weight, index = torch.topk(scores, self.k, dim=-1)
        order = torch.argsort(index.flatten(), stable=True)
        rows = order // self.k
        tokens = x[rows]
        expert = index.flatten()[order]
        hidden = torch.nn.functional.silu(torch.bmm(tokens.unsqueeze(1), self.w1[expert]))
        out = torch.bmm(hidden, self.w2[expert]).squeeze(1) * weight.flatten()[order].unsqueeze(1)
        return x + torch.zeros_like(x).index_add(0, rows, out)


def make():
    torch.manual_seed(0)
    x = torch.randn(128, 32)
    x[32:] = x[0]  # masked tokens
    return nn.Sequential(*(MoE() for _ in range(3))), (x,), lambda y: y.square().mean()
