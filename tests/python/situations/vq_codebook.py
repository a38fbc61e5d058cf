# SPDX-License-Identifier: Apache-2.0
"""Made up, of the kind of pytorch/pytorch PR #197039: a codebook of buffers that the forward reads, and then moves
towards the vectors that chose each code. The gradient passes straight through the choice.

Right: the backward goes by the codes that were read, and the buffers are those of plain PyTorch.
"""

import torch
from torch import nn


class Quantized(nn.Module):
    def __init__(self, width=16, codes=32):
        super().__init__()
        self.encode, self.decode = nn.Linear(8, width), nn.Linear(width, 8)
        self.register_buffer("codes", torch.randn(codes, width))
        self.register_buffer("counts", torch.zeros(codes))
        self.register_buffer("sums", torch.zeros(codes, width))

    def forward(self, x):
        z = self.encode(x)
        index = torch.cdist(z, self.codes).argmin(1)
        chosen = self.codes[index]
        with torch.no_grad():
            picked = nn.functional.one_hot(index, len(self.codes)).to(z.dtype)
            self.counts.mul_(0.9).add_(picked.sum(0), alpha=0.1)
            self.sums.mul_(0.9).add_(picked.t() @ z, alpha=0.1)
            means = self.sums / (self.counts[:, None] + 1e-5)
            self.codes.copy_(torch.where(self.counts[:, None] > 1e-3, means, self.codes))
        return self.decode(z + (chosen - z).detach()) - x, z - chosen.detach()


def make():
    torch.manual_seed(0)
    return Quantized(), (torch.randn(64, 8),), lambda out: out[0].square().mean() + 0.25 * out[1].square().mean()
