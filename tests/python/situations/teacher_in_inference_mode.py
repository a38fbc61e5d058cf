# SPDX-License-Identifier: Apache-2.0
"""Made up, of distillation: the teacher runs in ``torch.inference_mode``, whose tensors autograd may not save.

Right: its clone is a constant for the student, as under ``torch.no_grad``.
"""

import torch
from torch import nn


class Distilled(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.student, self.teacher = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x):
        with torch.inference_mode():
            wanted = self.teacher(x)
        return self.student(x) * wanted.clone()


def make():
    torch.manual_seed(0)
    return Distilled(), (torch.randn(6, 8),), lambda out: out.square().mean()
