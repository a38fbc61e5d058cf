# SPDX-License-Identifier: Apache-2.0
"""Seen: pytorch/pytorch#52248, #156212: `where` hides no number of the branch that is not taken; its gradient has it.

Right: the same gradients without numbers as plain PyTorch, and a sentence that this shows nothing: no certificate.
"""

import torch
from torch import nn


class Roots(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(8, 8)

    def forward(self, x):
        x = self.a(x)
        return torch.where(x > 0, torch.sqrt(x), torch.zeros_like(x)).nansum()


def make():
    torch.manual_seed(0)
    return Roots(), (torch.randn(16, 8),), lambda y: y.square()
