# SPDX-License-Identifier: Apache-2.0
"""Seen: pytorch/pytorch#158212, #167116, #134888: flex_attention with a mask of its own gives wrong gradients when
compiled. On a CPU PyTorch 2.11 has no backward for it.

Right: a sentence that says what to do instead.
"""

import torch
from torch import nn
from torch.nn.attention.flex_attention import flex_attention


def window(score, b, h, q, k):
    return torch.where((q >= k) & (q - k < 16), score, -float("inf"))


class Block(nn.Module):
    def __init__(self, width=64, heads=4):
        super().__init__()
        self.norm, self.heads = nn.LayerNorm(width), heads
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x):
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in self.qkv(self.norm(x)).chunk(3, -1))
        return x + self.out(flex_attention(q, k, v, score_mod=window).transpose(1, 2).flatten(2))


def make():
    torch.manual_seed(0)
    return nn.Sequential(Block(), Block()), (torch.randn(2, 64, 64),), lambda y: y.square().mean()
