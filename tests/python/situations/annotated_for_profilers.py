# SPDX-License-Identifier: Apache-2.0
"""Seen: ``record_function`` around parts of a forward, and in every step of an optimizer, which a forward may have inside
(as test-time training has). A capture has ops for these marks, which give no tensor that a plan could hold.

Right: the marks are left out, and everything is equal bit for bit.
"""

import torch
from torch import nn


class Annotated(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.first, self.second = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x):
        with torch.profiler.record_function("first"):
            y = self.first(x).sin()
            with torch.profiler.record_function("second"):
                y = self.second(y)
        return y.exp()


def make():
    torch.manual_seed(0)
    return Annotated(), (torch.randn(6, 8),), lambda y: y.square().mean()
