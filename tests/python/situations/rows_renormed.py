# SPDX-License-Identifier: Apache-2.0
"""Seen: pytorch/pytorch#26596, #28959: an embedding with `max_norm` writes to its weight, unseen in the model.

Right: as eager mode under torch.compile; a trace is refused with a way out that works.
"""

import torch
from torch import nn


def make():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Embedding(40, 16, max_norm=1.0), nn.Linear(16, 16), nn.Tanh())
    return model, (torch.randint(0, 40, (4, 12)),), lambda y: y.square().mean()
