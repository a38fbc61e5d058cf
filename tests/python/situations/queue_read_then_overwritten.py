# SPDX-License-Identifier: Apache-2.0
"""Seen: pytorch/pytorch#197039, #185876: what is computed again from a buffer after the forward has overwritten it sees
the new values.

Right: it sees the old ones; gradients and the new value of the queue are equal bit for bit.
"""

import torch
from torch import nn


class Queue(nn.Module):
    def __init__(self, width=32, length=256):
        super().__init__()
        self.query, self.key = nn.Linear(48, width), nn.Linear(48, width)
        self.register_buffer("queue", torch.nn.functional.normalize(torch.randn(width, length), dim=0))
        self.register_buffer("steps", torch.zeros((), dtype=torch.long))

    def forward(self, a, b):
        q = torch.nn.functional.normalize(self.query(a), dim=1)
        with torch.no_grad():
            k = torch.nn.functional.normalize(self.key(b), dim=1)
        scaled = torch.exp(self.queue.T.clone())  # a read that is dear to keep and cheap to make again
        logits = torch.cat([(q * k).sum(1, keepdim=True), q @ scaled.T], dim=1) / 0.07
        self.queue[:, : k.shape[0]] = k.T  # overwritten here
        self.steps.add_(1)
        return logits


def make():
    torch.manual_seed(0)
    a = torch.randn(64, 48)
    target = torch.zeros(64, dtype=torch.long)
    return Queue(), (a, a + 0.1 * torch.randn_like(a)), lambda logits: torch.nn.functional.cross_entropy(logits, target)
