# SPDX-License-Identifier: Apache-2.0
"""Seen: pytorch/pytorch#102223, #33999, #7714: a loss that holds a gradient (forces of potentials, penalties on
gradients); checkpointing forbids it.

Right: traced as one joint graph, with the inner gradient in the forward. torch.compile itself refuses a second
derivative, which the backend remat computes in eager mode.
"""

import torch
from torch import nn


class Forces(nn.Module):
    def __init__(self, width=64, depth=5):
        super().__init__()
        layers = [nn.Linear(3, width), nn.SiLU()]
        for _ in range(depth):
            layers += [nn.Linear(width, width), nn.SiLU()]
        self.net = nn.Sequential(*layers, nn.Linear(width, 1))

    def forward(self, positions):
        positions = positions.detach().requires_grad_(True)
        energy = self.net(positions).sum()
        forces = -torch.autograd.grad(energy, positions, create_graph=True)[0]
        return energy, forces


def make():
    torch.manual_seed(0)
    target = torch.randn(256, 3)
    return Forces(), (torch.randn(256, 3),), lambda out: out[0].square() * 1e-6 + (out[1] - target).square().mean()
