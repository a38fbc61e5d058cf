# SPDX-License-Identifier: Apache-2.0
"""Made up, of the kind of pytorch/pytorch#190758: random numbers beside dropout's, in slopes, whole channels, regions of
a pool, gates, a choice and an order.

Right: a plan that computes them again draws the same numbers.
"""

import torch
from torch import nn


class Noisy(nn.Module):
    def __init__(self):
        super().__init__()
        first = [nn.Conv2d(3, 16, 3, padding=1), nn.RReLU(), nn.Dropout2d(0.3), nn.FractionalMaxPool2d(2, output_ratio=0.6)]
        then = [nn.Conv2d(16, 16, 3, padding=1), nn.FeatureAlphaDropout(0.2), nn.SELU(), nn.AlphaDropout(0.2)]
        self.body, self.head = nn.Sequential(*first, *then), nn.Linear(16, 6)

    def forward(self, x):
        keep = torch.bernoulli(torch.full((x.shape[0], 1, 1, 1), 0.8))
        hidden = (self.body(x) * keep / 0.8).mean((2, 3))
        chosen = nn.functional.gumbel_softmax(self.head(hidden), tau=0.7, hard=True)
        return chosen * torch.randperm(6).to(chosen.dtype)


def make():
    torch.manual_seed(0)
    return Noisy().train(), (torch.randn(8, 3, 16, 16),), lambda y: y.square().mean()
