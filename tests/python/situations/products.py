# SPDX-License-Identifier: Apache-2.0
"""Seen: in this program. Autograd's formulas of a product are others while calls of operators are looked at, as in a
capture, so that last bits of gradients differ.

Right: the difference is named with its size; no op is called wrong.
"""

import torch
from torch import nn


class Products(nn.Linear):
    def forward(self, x):
        y = super().forward(x) / 10 + 1
        return y.prod() + y.cumprod(0).sum()


def make():
    torch.manual_seed(0)
    return Products(16, 16), (torch.randn(2, 16),), lambda y: y
