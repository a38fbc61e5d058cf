# SPDX-License-Identifier: Apache-2.0
"""Seen: huggingface/transformers#38518, and every loop over experts: each works on the rows that were sent to it, whose
count follows from values.

Right: Dynamo leaves each such loop to eager mode, and what lies around it is planned; the whole is equal. A trace is of
this batch with these weights, which it says, and is equal. Its plan is applied to no model: other batches go other ways.
"""

import torch
from torch import nn


class Experts(nn.Module):
    def __init__(self, width=16, count=3):
        super().__init__()
        self.router = nn.Linear(width, count)
        experts = [(nn.Linear(width, 32), nn.GELU(), nn.Linear(32, width)) for _ in range(count)]
        self.experts = nn.ModuleList(nn.Sequential(*each) for each in experts)

    def forward(self, x):
        weight, chosen = self.router(x).softmax(-1).topk(2)
        made = torch.zeros_like(x)
        for number, expert in enumerate(self.experts):
            rows, place = torch.where(chosen == number)
            made.index_add_(0, rows, expert(x[rows]) * weight[rows, place, None])
        return made


class Block(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.before = nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.LayerNorm(width))
        self.experts = Experts(width)

    def forward(self, x):
        return x + self.experts(self.before(x))


def make():
    torch.manual_seed(0)
    return nn.Sequential(Block(), Block(), nn.Linear(16, 4)), (torch.randn(24, 16),), lambda y: y.square().mean()
