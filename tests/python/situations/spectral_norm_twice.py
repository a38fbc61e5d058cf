# SPDX-License-Identifier: Apache-2.0
"""Seen: pytorch/pytorch#66363: a module under ``spectral_norm`` that is called twice has changed what its first call
needs for its gradients.

Right: as eager PyTorch does it here (its buffers change with each call), equal bit for bit.
"""

import torch
from torch import nn
from torch.nn.utils.parametrizations import spectral_norm, weight_norm


def make():
    torch.manual_seed(0)
    twice = spectral_norm(nn.Linear(8, 8))
    model = nn.Sequential(weight_norm(nn.Linear(8, 8)), nn.Tanh(), twice, nn.Tanh(), twice)
    return model, (torch.randn(4, 8),), lambda y: y.square().mean()
