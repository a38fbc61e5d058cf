# SPDX-License-Identifier: Apache-2.0
"""Seen: pytorch/pytorch#86384, #183396: ``ctc_loss`` cannot be captured, since its result has no shape before it runs.

Right: plain PyTorch's gradients. A trace is one of the lengths that are given; what is
compiled leaves the loss to eager mode.
"""

import torch
from torch import nn


class Speech(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(8, 6)

    def forward(self, sound, words):
        scores = torch.tanh(self.out(sound)).log_softmax(2)
        return nn.functional.ctc_loss(scores, words, (7, 7), (3, 2))


def make():
    torch.manual_seed(0)
    return Speech(), (torch.randn(7, 2, 8), torch.randint(1, 6, (2, 3))), lambda y: y
