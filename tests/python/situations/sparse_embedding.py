# SPDX-License-Identifier: Apache-2.0
"""Seen: pytorch/pytorch#170761, #58755: tensors that are sparse, whose memory no graph can ask for.

Right: what is compiled runs as it is, without a plan, which is said; a trace is refused with a way out.
"""

import torch
from torch import nn


def make():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Embedding(40, 16, sparse=True), nn.Linear(16, 16), nn.Tanh())
    return model, (torch.randint(0, 40, (4, 12)),), lambda y: y.square().mean()
