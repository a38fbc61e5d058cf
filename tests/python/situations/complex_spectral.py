# SPDX-License-Identifier: Apache-2.0
"""Seen: pytorch/pytorch#171665, #171852, #184101: complex activations and weights (FFT, views of the conjugate) crash
under checkpointing and compilation.

Right: a conjugate is a view, real and imaginary part share its storage, and results are equal bit for bit.
"""

import torch
from torch import nn


class Spectral(nn.Module):
    def __init__(self, channels=8, modes=6):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(channels, channels, modes, modes, dtype=torch.cfloat) * 0.1)
        self.modes, self.skip = modes, nn.Conv2d(channels, channels, 1)

    def forward(self, x):
        m = self.modes
        f = torch.fft.rfft2(x)
        out = torch.zeros_like(f)
        out[:, :, :m, :m] = torch.einsum("bixy,ioxy->boxy", f[:, :, :m, :m], self.weight)
        out[:, :, -m:, :m] = torch.einsum("bixy,ioxy->boxy", f[:, :, -m:, :m], self.weight.conj())
        gate = torch.view_as_real(out).square().sum(-1, keepdim=False).sqrt().mean(1, keepdim=True)
        return torch.nn.functional.gelu(torch.fft.irfft2(out * (1 + 0.1 * gate), s=x.shape[-2:]) + self.skip(x))


def make():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Conv2d(1, 8, 1), *(Spectral() for _ in range(4)), nn.Conv2d(8, 1, 1))
    return model, (torch.randn(4, 1, 32, 32),), lambda y: y.square().mean()
