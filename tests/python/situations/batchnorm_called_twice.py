# SPDX-License-Identifier: Apache-2.0
"""Made up of the cumulative batchnorm's kind: one layer is called twice in a step that Dynamo breaks.

Right: both calls move its statistics. While the second part is compared, the first waits for its backward.
"""

import torch
from torch import nn


class Siamese(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(16, momentum=None)  # one over a count, which Dynamo breaks at
        self.inner = nn.Linear(16, 16)

    def forward(self, x):
        return self.norm(self.inner(self.norm(x)))


def make():
    torch.manual_seed(0)
    return Siamese(), (torch.randn(32, 16) * 3 + 1,), lambda y: (y * torch.arange(16)).tanh().square().mean()
