# SPDX-License-Identifier: Apache-2.0
"""Made up, after MoCo and BYOL: the forward moves a teacher's frozen parameters towards the student's.

Right: the teacher moves once a step, however often the step is compared. Dynamo writes ``add_`` with ``alpha`` as a
product and a sum, which rounds otherwise.
"""

import torch
from torch import nn


class Averaged(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.student, self.teacher = nn.Linear(width, width), nn.Linear(width, width).requires_grad_(False)

    def forward(self, x):
        with torch.no_grad():
            for old, new in zip(self.teacher.parameters(), self.student.parameters(), strict=True):
                old.mul_(0.9).add_(new, alpha=0.1)
            wanted = self.teacher(x)
        return self.student(x) - wanted


def make():
    torch.manual_seed(0)
    return Averaged(), (torch.randn(6, 32),), lambda out: out.square().mean()
