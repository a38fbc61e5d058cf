# SPDX-License-Identifier: Apache-2.0
"""Seen: pytorch/pytorch#197084: compiled steps with `linalg.pinv` of a complex matrix give another loss and wrong
gradients, without a warning.

Right: loss and gradients of plain PyTorch. The cause is a dispatch mode around the first call of a compiled
function: under any such mode this operator goes another way, which is wrong. The trace has the right one.
"""

import torch
from torch import nn


class Beamformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.steer = nn.Parameter(torch.randn(8, 4, 3, dtype=torch.cfloat))
        self.body = nn.Sequential(nn.Linear(6, 64), nn.GELU(), nn.Linear(64, 16))

    def forward(self, signal):
        inverse = torch.linalg.pinv(self.steer)  # (8, 3, 4)
        beams = torch.einsum("kfc,bkc->bkf", inverse, signal)
        return self.body(torch.view_as_real(beams).flatten(2))


def make():
    torch.manual_seed(0)
    return Beamformer(), (torch.randn(32, 8, 4, dtype=torch.cfloat),), lambda y: y.square().mean()
