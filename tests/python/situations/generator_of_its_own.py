# SPDX-License-Identifier: Apache-2.0
"""Made up: a layer draws its noise from a ``torch.Generator`` of its own, so that a run can be repeated.

Right: the numbers of its generator, which stands where a step leaves it, however often that was compared. A trace
cannot hold it.
"""

import torch
from torch import nn


class Noisy(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.linear, self.generator = nn.Linear(width, width), torch.Generator().manual_seed(5)

    def forward(self, x):
        return self.linear(x) + torch.randn(x.shape, generator=self.generator)


def make():
    torch.manual_seed(0)
    return Noisy(), (torch.randn(6, 8),), lambda out: out.square().mean()
