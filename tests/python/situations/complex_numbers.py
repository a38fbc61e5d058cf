# SPDX-License-Identifier: Apache-2.0
"""Seen: pytorch/pytorch#160749: complex numbers as arguments of operators, which archives could not hold.

Right: equal; such a trace can be opened.
"""

import torch
from torch import nn


class Waves(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(8, 8, dtype=torch.cfloat))
        self.b = nn.Parameter(torch.randn(8, 2))

    def forward(self, x):
        z = torch.view_as_complex(self.b) * torch.polar(x.abs(), x)
        z = (z @ self.w.conj()).mul_(1j)
        return z.abs() + z.angle() + z.imag * z.real


def make():
    torch.manual_seed(0)
    return Waves(), (torch.randn(16, 8),), lambda y: y.square().mean()
