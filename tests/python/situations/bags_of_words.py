# SPDX-License-Identifier: Apache-2.0
"""Seen: pytorch/pytorch#92286: an ``EmbeddingBag`` whose largest entries count cannot be compiled, since what PyTorch
knows of its results is wrong.

Right: equal bit for bit. A run without the user's data needs bags that begin in order, from 0 on.
"""

import torch
from torch import nn


class Bags(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.EmbeddingBag(20, 8, mode="mean")
        self.largest = nn.EmbeddingBag(20, 8, mode="max")
        self.out = nn.Linear(8, 4)

    def forward(self, words, begins):
        return self.out(self.mean(words, begins) + self.largest(words, begins))


def make():
    torch.manual_seed(0)
    return Bags(), (torch.randint(0, 20, (12,)), torch.tensor([0, 4, 7])), lambda y: y.square().mean()
