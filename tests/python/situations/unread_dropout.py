# SPDX-License-Identifier: Apache-2.0
"""Made up of LXMERT's kind: the last layer works on two streams, and the head reads one. What the other drew moves the
generator, although nobody reads it.

Right: the numbers of eager mode. AOTAutograd takes out what nobody reads, and later layers draw others then.
"""

import torch
from torch import nn


class TwoStreams(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Sequential(nn.Linear(32, 32), nn.GELU(), nn.Dropout(0.2))
        self.pictures = nn.Sequential(nn.Linear(32, 32), nn.GELU(), nn.Dropout(0.2))
        self.head = nn.Sequential(nn.Dropout(0.2), nn.Linear(32, 4))

    def forward(self, words, pictures):
        for _ in range(2):
            pictures = self.pictures(pictures)
            words = self.words(words)
        return self.head(words)


def make():
    torch.manual_seed(0)
    return TwoStreams(), (torch.randn(16, 32), torch.randn(16, 32)), lambda y: y.square().mean()
